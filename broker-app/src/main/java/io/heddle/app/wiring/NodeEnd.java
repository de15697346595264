package io.heddle.app.wiring;

import java.util.function.Consumer;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Ends the process: once its node is over, because a supervisor can start it again as another incarnation, and when an administrator wants
 * it. A bean of the context.
 *
 * @param action receives one sentence for the operator; does not block
 * @param inOrder drains and stops the node, as at SIGTERM; does not block
 */
public record NodeEnd(Consumer<String> action, Runnable inOrder)
        implements ApplicationContextInitializer<GenericApplicationContext> {
    @Override
    public void initialize(GenericApplicationContext context) {
        context.registerBean(NodeEnd.class, () -> this);
    }
}

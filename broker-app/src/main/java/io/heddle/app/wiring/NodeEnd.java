package io.heddle.app.wiring;

import java.util.function.Consumer;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Ends the process once its node is over, because a supervisor can start it again as another incarnation. A bean of the context.
 *
 * @param action receives one sentence for the operator; does not block
 */
public record NodeEnd(Consumer<String> action) implements ApplicationContextInitializer<GenericApplicationContext> {
    @Override
    public void initialize(GenericApplicationContext context) {
        context.registerBean(NodeEnd.class, () -> this);
    }
}

package io.heddle.core.session.registrar.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.SubscriptionChange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A SUBSCRIBE or UNSUBSCRIBE is answered in a bounded time, or its client is disconnected. */
final class ChangeLimitTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final ChangeOutcome UNANSWERED =
            new ChangeOutcome.Failed("the node that decides about the client did not answer");
    private static final ChangeOutcome CHANGED = new ChangeOutcome.Changed(List.of(), List.of());

    private final RegistrarNodes nodes = new RegistrarNodes();

    private CompletableFuture<ChangeOutcome> change(RegistrarNodes.Node node) {
        return node.registrar
                .change(new SubscriptionChange.Unsubscribe(RegistrarNodes.CLIENT, 7, 1, List.of("t")))
                .toCompletableFuture();
    }

    @Test
    void aChangeWithoutAHolderFails() {
        nodes.kill(nodes.a);
        nodes.readAll();
        CompletableFuture<ChangeOutcome> answer = change(nodes.c);
        nodes.run();
        nodes.advance(LIMIT.minusMillis(1));
        assertThat(answer).isNotDone();
        nodes.advance(Duration.ofMillis(1));
        assertThat(answer).isCompletedWithValue(UNANSWERED);

        nodes.take(nodes.b);
        nodes.readAll();
        assertThat(nodes.b.own.calls).as("nobody waits for it").isEmpty();
        assertThat(nodes.c.metrics.get("heddle.registrar.waiting").gauge().value())
                .isZero();
    }

    @Test
    void aChangeWhoseHolderCannotBeReachedFails() {
        nodes.links.cut(nodes.c.incarnation, nodes.a.incarnation);
        CompletableFuture<ChangeOutcome> answer = change(nodes.c);
        nodes.run();
        nodes.advance(LIMIT);
        assertThat(answer).isCompletedWithValue(UNANSWERED);

        nodes.links.heal(nodes.c.incarnation, nodes.a.incarnation);
        nodes.run();
        nodes.a.own.changes.forEach(each -> each.complete(CHANGED));
        nodes.run();
        assertThat(answer).isCompletedWithValue(UNANSWERED);
        assertThat(nodes.c.metrics.get("heddle.registrar.waiting").gauge().value())
                .isZero();
    }

    @Test
    void anAnswerEndsTheLimit() {
        CompletableFuture<ChangeOutcome> answer = change(nodes.c);
        nodes.run();
        nodes.a.own.changes.forEach(each -> each.complete(CHANGED));
        nodes.run();

        assertThat(answer).isCompletedWithValue(CHANGED);
        assertThat(nodes.c.loop.timers()).isZero();
    }
}

package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.NodeLinks;
import java.util.function.BooleanSupplier;

class InMemoryLinksTest extends NodeLinksContract {
    private static final Incarnation A = new Incarnation(3, 7);
    private static final Incarnation B = new Incarnation(5, 9);

    private final InMemoryLinks links = new InMemoryLinks(2, MAXIMUM_PAYLOAD_BYTES, MAXIMUM_UNACKNOWLEDGED_BYTES);

    @Override
    protected NodeLinks a() {
        return links.node(A);
    }

    @Override
    protected Incarnation idOfA() {
        return A;
    }

    @Override
    protected NodeLinks b() {
        return links.node(B);
    }

    @Override
    protected Incarnation idOfB() {
        return B;
    }

    @Override
    protected void join() {
        links.connect(A, B);
    }

    @Override
    protected void cut() {
        links.cut(A, B);
        links.cut(B, A);
    }

    @Override
    protected void heal() {
        links.heal(A, B);
        links.heal(B, A);
    }

    @Override
    protected void endB() {
        links.end(A, B);
    }

    @Override
    protected void await(BooleanSupplier condition) {
        int _ = links.deliver();
        assertThat(condition.getAsBoolean())
                .as("after all frames were delivered")
                .isTrue();
    }

    @Override
    protected void settle() {
        int _ = links.deliver();
    }
}

package io.heddle.core.node.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

final class ConnectionRebalanceTest {
    private static final Duration TURN = Duration.ofMillis(100);

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final List<Integer> closedPerTurn = new ArrayList<>();
    private long nanos = 42;
    private int open;
    private int closedInTurn;
    /** Of four closed clients, this many connect to this node again, at once. */
    private int returningOfFour;

    private int closedSinceReturn;

    private final class Node implements ConnectionRebalance.Clients {
        @Override
        public int count() {
            return open;
        }

        @Override
        public IntUnaryOperator closing() {
            int present = open;
            int[] left = {present};
            return atMost -> {
                int closed = Math.min(atMost, left[0]);
                left[0] -= closed;
                open -= closed;
                closedInTurn += closed;
                for (closedSinceReturn += closed; closedSinceReturn >= 4; closedSinceReturn -= 4) {
                    open += returningOfFour;
                }
                return closed;
            };
        }
    }

    private ConnectionRebalance rebalance(int perSecond) {
        return new ConnectionRebalance(new Node(), perSecond, () -> nanos, metrics);
    }

    private void run(ConnectionRebalance rebalance, int turns) {
        for (int i = 0; i < turns; i++) {
            closedInTurn = 0;
            rebalance.advance();
            closedPerTurn.add(closedInTurn);
            nanos += TURN.toNanos();
        }
    }

    private double closed() {
        return metrics.counter("heddle.rebalance.closed").count();
    }

    @Test
    void theSurplusIsClosedAtTheRate() {
        open = 300;
        ConnectionRebalance rebalance = rebalance(500);
        run(rebalance, 2);

        rebalance.order(110);
        run(rebalance, 200);

        assertThat(closedPerTurn.subList(0, 8)).containsExactly(0, 0, 1, 50, 50, 50, 39, 0);
        assertThat(open).isEqualTo(110);
        assertThat(closed()).isEqualTo(190);
    }

    @Test
    void aRateBelowTenPerSecondIsKept() {
        open = 5;
        ConnectionRebalance rebalance = rebalance(2);

        rebalance.order(2);
        run(rebalance, 12);

        assertThat(closedPerTurn).containsExactly(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
    }

    @Test
    void clientsThatComeBackAreClosedAgainAfterAPause() {
        open = 300;
        returningOfFour = 1;
        ConnectionRebalance rebalance = rebalance(100_000);

        rebalance.order(100);
        run(rebalance, 10);
        assertThat(open).isEqualTo(150);
        run(rebalance, 500);

        assertThat(open).isEqualTo(100);
        assertThat(closed()).isBetween(260.0, 270.0);
    }

    @Test
    void anOrderClosesAtMostTwiceTheSurplus() {
        open = 300;
        returningOfFour = 4;
        ConnectionRebalance rebalance = rebalance(100_000);

        rebalance.order(100);
        run(rebalance, 1_000);

        assertThat(closed()).isEqualTo(400);
    }

    @Test
    void nothingIsClosedWithoutASurplus() {
        open = 90;
        ConnectionRebalance rebalance = rebalance(1_000);

        rebalance.order(100);
        run(rebalance, 200);
        open = 500;
        run(rebalance, 200);

        assertThat(closed()).isZero();
    }

    @Test
    void anOrderCanBeRepeated() {
        open = 300;
        ConnectionRebalance rebalance = rebalance(100_000);
        rebalance.order(200);
        run(rebalance, 100);
        open = 400;

        rebalance.order(250);
        run(rebalance, 100);

        assertThat(open).isEqualTo(250);
    }
}

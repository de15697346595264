package io.heddle.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.transport.link.InboundLanes.InboundLane;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Connections whose event loops run when the test lets them. */
class InboundLanesTest {
    private static final Incarnation A = new Incarnation(3, 7);
    private static final Incarnation B = new Incarnation(5, 9);

    private final InboundLanes lanes = new InboundLanes();
    private final List<String> ready = new ArrayList<>();

    private EmbeddedChannel takeOver(InboundLane lane, String name) {
        EmbeddedChannel channel = new EmbeddedChannel();
        lane.takeOver(channel, () -> ready.add(name));
        return channel;
    }

    @Test
    void aLaterConnectionWaitsUntilTheEarlierOneHandlesNoFrames() {
        InboundLane lane = lanes.lane(A, 0);
        EmbeddedChannel first = takeOver(lane, "first");
        first.runPendingTasks();
        assertThat(ready).containsExactly("first");
        EmbeddedChannel second = takeOver(lane, "second");
        assertThat(lane.isCurrent(first)).isFalse();
        second.runPendingTasks();
        assertThat(ready).containsExactly("first");

        first.runPendingTasks();
        second.runPendingTasks();
        assertThat(ready).containsExactly("first", "second");
        assertThat(first.isOpen()).isFalse();
    }

    @Test
    void aConnectionWaitsForAllEarlierOnesAndNotOnlyForTheLast() {
        InboundLane lane = lanes.lane(A, 0);
        EmbeddedChannel handling = takeOver(lane, "handling");
        EmbeddedChannel waiting = takeOver(lane, "waiting");
        EmbeddedChannel last = takeOver(lane, "last");
        waiting.runPendingTasks();
        last.runPendingTasks();
        assertThat(ready).isEmpty();

        handling.runPendingTasks();
        last.runPendingTasks();
        assertThat(ready).contains("last");
        assertThat(lane.isCurrent(last)).isTrue();
        assertThat(lane.isCurrent(waiting)).isFalse();
    }

    @Test
    void theNumberOutlivesAConnection() {
        InboundLane lane = lanes.lane(A, 0);
        lane.onHandled();

        assertThat(lanes.lane(A, 0).received()).isOne();
        assertThat(lanes.lane(A, 1).received()).isZero();
        assertThat(lanes.lane(B, 0).received()).isZero();
    }

    @Test
    void theLanesOfAnEndedIncarnationAreForgottenWhenTheyHandleNoFrames() {
        InboundLane lane = lanes.lane(A, 0);
        InboundLane other = lanes.lane(B, 0);
        EmbeddedChannel handling = takeOver(lane, "handling");
        EmbeddedChannel stays = takeOver(other, "stays");

        CompletableFuture<?> idle = lanes.end(A).toCompletableFuture();
        assertThat(idle).isNotDone();
        handling.runPendingTasks();
        assertThat(idle).isDone();
        assertThat(handling.isOpen()).isFalse();
        assertThat(stays.isOpen()).isTrue();
        assertThat(lanes.size()).isOne();
        assertThat(takeOver(lane, "late").isOpen()).isFalse();
    }
}

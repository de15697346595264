package io.heddle.core.session.queue;

import static io.heddle.core.session.queue.PushingNodes.BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.mqtt.QoS;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Acknowledgements of a node that does not hold the bucket of a recipient wait for the node that does. */
class RemoteLagTest {
    private static final ClientId AWAY = new ClientId("away");
    private static final int MORE_THAN_THE_LIMIT = 3_000;

    private final PushingNodes nodes = new PushingNodes(100_000);
    private final PushingNodes.Node holder = nodes.add();
    private final PushingNodes.Node publisher = nodes.add();
    private final List<String> ran = new ArrayList<>();

    @BeforeEach
    void hold() {
        holder.hold();
        nodes.run();
    }

    /** The publisher's node has appended a message that the holder has not read yet. */
    private void append() {
        long offset = nodes.log.isEmpty() ? 0 : nodes.log.lastKey() + 2;
        publisher.positions.appended(BUCKET, offset, MORE_THAN_THE_LIMIT, 1);
        assertThat(publisher.positions.isFull(BUCKET)).isTrue();
        publisher.positions.whenCaughtUp(new Backlog(BUCKET, offset), () -> ran.add("message " + offset));
    }

    @Test
    void anAcknowledgementWaitsUntilTheHolderHasApplied() {
        append();
        nodes.run();
        assertThat(ran).isEmpty();
        nodes.publish(AWAY, 1, QoS.AT_LEAST_ONCE, "message");

        nodes.run();

        assertThat(ran).containsExactly("message 0");
        assertThat(publisher.positions.isAnyLagging()).isFalse();
    }

    @Test
    void theHolderRepeatsWhatItHasApplied() {
        append();

        nodes.pass(Duration.ofSeconds(10));

        assertThat(ran).isEmpty();
        assertThat(publisher.positions.isFull(BUCKET)).isTrue();
    }

    @Test
    void aSilentHolderDelaysAndRefusesNothing() {
        append();
        nodes.links.cut(holder.self, publisher.self);

        nodes.pass(Duration.ofSeconds(4));

        assertThat(ran).containsExactly("message 0");
        assertThat(publisher.positions.isAnyFull()).isFalse();
        assertThat(publisher.count("heddle.buckets.lag.unknown")).isOne();
    }

    @Test
    void afterAHandOverTheNextHolderReports() {
        PushingNodes.Node next = nodes.add();
        append();
        holder.release();
        next.hold();
        nodes.run();
        assertThat(ran).containsExactly("message 0");

        nodes.publish(AWAY, 1, QoS.AT_LEAST_ONCE, "message");
        nodes.run();
        append();
        nodes.run();
        assertThat(ran).containsExactly("message 0");
        nodes.publish(AWAY, 1, QoS.AT_LEAST_ONCE, "another");
        nodes.run();

        assertThat(ran).containsExactly("message 0", "message 2");
    }
}

package io.heddle.core.session.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.testkit.PublishMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pushes from the holder of a bucket to clients of other nodes. */
final class RemotePushTest {
    private static final ClientId PUMP = new ClientId("pump-1");
    private static final ClientId VALVE = new ClientId("valve-1");
    private static final long ROOMY = 1_000_000;
    private static final int PUSHES = 0x20;

    private PushingNodes cluster = new PushingNodes(ROOMY);
    private PushingNodes.Node holder = cluster.add();
    private PushingNodes.Node other = cluster.add();

    private void restart(long maximumUnacknowledgedBytes) {
        cluster = new PushingNodes(maximumUnacknowledgedBytes);
        holder = cluster.add();
        other = cluster.add();
    }

    private PushingNodes.Node.Client connected() {
        holder.hold();
        cluster.run();
        PushingNodes.Node.Client client = other.connect(PUMP);
        cluster.run();
        return client;
    }

    private void publish(PushingNodes.Node.Client client, String... payloads) {
        cluster.publish(client.clientId, client.generation, QoS.EXACTLY_ONCE, payloads);
    }

    private double dropped(PushingNodes.Node node, String reason) {
        return node.count("heddle.pushes.dropped", "reason", reason);
    }

    @Test
    void messagesReachAClientOfAnotherNodeInOrderWithoutAReadOfTheQueue() {
        PushingNodes.Node.Client client = connected();
        int reads = other.queues.pages().size();

        publish(client, "a", "b");
        cluster.run();
        publish(client, "c");
        cluster.run();

        assertThat(client.take()).containsExactly("1 a", "2 b", "3 c");
        assertThat(other.queues.pages()).as("pushed").hasSize(reads);
        assertThat(other.count("heddle.pushes.received")).isEqualTo(3);
        assertThat(holder.count("heddle.pushes.sent")).isEqualTo(3);
        assertThat(holder.count("heddle.pushes.frames"))
                .as("one for each batch")
                .isEqualTo(2);
    }

    @Test
    void theArrivalTimesOfMeasuredMessagesReachTheOtherNode() {
        PushingNodes.Node.Client client = connected();
        publish(client, "a");
        for (int i = 1; i <= 2; i++) {
            cluster.publish(
                    client.clientId,
                    client.generation,
                    QoS.AT_LEAST_ONCE,
                    PublishMessages.message("m" + i).arrivedAt(i));
        }
        publish(client, "b");

        cluster.run();

        assertThat(client.takeArrivals()).containsExactly(0L, 1L, 2L, 0L);
    }

    @Test
    void theMessageOfManyClientsIsInTheFrameOnce() {
        PushingNodes.Node.Client pump = connected();
        PushingNodes.Node.Client valve = other.connect(VALVE);
        cluster.run();
        cluster.log.put(
                0L,
                new BucketCommand.Enqueue(
                        PublishMessages.message("x".repeat(2_500)),
                        List.of(
                                new QueueRecipient(PUMP, pump.generation, QoS.AT_LEAST_ONCE, false, List.of()),
                                new QueueRecipient(VALVE, valve.generation, QoS.AT_LEAST_ONCE, false, List.of()))));
        cluster.run();

        assertThat(pump.take()).hasSize(1);
        assertThat(valve.take()).hasSize(1);
        assertThat(holder.count("heddle.pushes.sent")).isEqualTo(2);
        assertThat(holder.count("heddle.pushes.frames"))
                .as("two copies would not fit into one frame")
                .isEqualTo(1);
    }

    @Test
    void messagesArriveAfterTheLinkWasDown() {
        PushingNodes.Node.Client client = connected();
        cluster.links.cut(holder.self, other.self);
        publish(client, "a", "b");
        cluster.run();
        assertThat(client.take()).isEmpty();

        cluster.links.heal(holder.self, other.self);
        publish(client, "c");
        cluster.run();

        assertThat(client.take()).containsExactly("1 a", "2 b", "3 c");
    }

    @Test
    void aFullLaneTellsHowFarTheQueueIsFilledWhenItHasRoomAgain() {
        restart(600);
        PushingNodes.Node.Client client = connected();
        cluster.links.cut(holder.self, other.self);
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            publish(client, "message " + i);
            cluster.runWithoutLinks();
            expected.add(i + " message " + i);
        }
        assertThat(dropped(holder, "link_full")).isPositive();
        assertThat(holder.writer.maximumWaitMillis()).as("tries again soon").isLessThanOrEqualTo(20);

        cluster.links.heal(holder.self, other.self);
        cluster.run();

        assertThat(client.take()).containsExactlyElementsOf(expected);
        publish(client, "next");
        cluster.run();
        assertThat(client.take()).containsExactly("41 next");
    }

    @Test
    void aMessageThatIsTooLargeForAFrameIsReadFromTheQueue() {
        PushingNodes.Node.Client client = connected();

        publish(client, "a", "x".repeat(PushingNodes.MAXIMUM_PAYLOAD_BYTES), "c");
        cluster.run();

        assertThat(client.take()).hasSize(3).startsWith("1 a").endsWith("3 c");
        assertThat(dropped(holder, "too_large")).isEqualTo(1);
    }

    @Test
    void manyMessagesAreSplitIntoFrames() {
        PushingNodes.Node.Client client = connected();
        String[] payloads =
                IntStream.range(0, 30).mapToObj(i -> "x".repeat(500) + i).toArray(String[]::new);

        publish(client, payloads);
        cluster.run();

        assertThat(client.take()).hasSize(30);
        assertThat(holder.count("heddle.pushes.sent")).isEqualTo(30);
        assertThat(holder.count("heddle.pushes.frames")).isBetween(5.0, 10.0);
    }

    @Test
    void aPushToAnEarlierConnectionIsDroppedAndTheNextOneReadsItsQueue() {
        PushingNodes.Node.Client client = connected();
        publish(client, "a");
        cluster.runWithoutLinks();
        client.disconnect();
        PushingNodes.Node.Client next = other.connect(PUMP);
        cluster.run();

        assertThat(next.take()).containsExactly("1 a");
        assertThat(dropped(other, "unknown_connection")).isEqualTo(1);
    }

    @Test
    void aCatchUpWaitsForAClientOfAnotherNodeWithinItsPatience() {
        PushingNodes.Node.Client client = connected();
        holder.queues.refuse(_ -> true);
        String[] payloads = IntStream.range(0, 1_500).mapToObj(i -> "m" + i).toArray(String[]::new);
        publish(client, payloads);
        cluster.runWithoutLinks();
        cluster.pass(Duration.ofSeconds(20));
        holder.queues.heal();
        while (client.stored().isEmpty()) {
            cluster.run();
        }
        cluster.pass(Duration.ofMillis(400));
        assertThat(client.stored()).as("at most half a queue and a portion").hasSizeBetween(500, 750);
        assertThat(client.take()).hasSameSizeAs(client.stored());

        client.acknowledgeBelow(client.stored().size() + 1);
        cluster.pass(Duration.ofMillis(400));
        assertThat(client.stored())
                .as("the queue was asked how far the client is")
                .hasSizeBetween(500, 750);
        cluster.pass(Duration.ofSeconds(3));

        assertThat(holder.positions.appliedOffset(PushingNodes.BUCKET)).isEqualTo(cluster.log.lastKey());
    }

    @Test
    void malformedFramesAreDroppedAndCounted() {
        PushingNodes.Node.Client client = connected();
        NodeLinks links = cluster.links.node(holder.self);
        for (byte[] payload : List.of(
                new byte[] {}, new byte[] {9}, new byte[] {1, 3}, new byte[] {1, 1, 0, 0}, new byte[] {1, 1, 0, 9, 1
                })) {
            assertThat(links.send(other.self, 1, PUSHES, payload)).isTrue();
        }
        assertThat(links.send(other.self, 1, PUSHES + 1, new byte[] {1, 0})).isTrue();
        assertThat(links.send(other.self, 0, PUSHES + 2, new byte[] {1, 0, 1})).isTrue();
        assertThat(links.send(other.self, 0, PUSHES + 3, new byte[] {1, 0, 1})).isTrue();
        assertThat(links.send(other.self, 0, PUSHES + 9, new byte[] {1})).isTrue();
        cluster.run();

        assertThat(dropped(other, "malformed")).isEqualTo(9);
        publish(client, "a");
        cluster.run();
        assertThat(client.take()).containsExactly("1 a");
    }

    @Test
    void pushesToANodeThatHasEndedAreDropped() {
        PushingNodes.Node.Client client = connected();
        publish(client, "a");
        cluster.run();
        cluster.kill(other);

        publish(client, "b");
        cluster.run();

        assertThat(dropped(holder, "node_ended")).isEqualTo(1);
        assertThat(holder.writer.maximumWaitMillis())
                .as("nothing waits to be sent")
                .isGreaterThan(20);
        assertThat(client.stored()).containsExactly("a", "b");
    }
}

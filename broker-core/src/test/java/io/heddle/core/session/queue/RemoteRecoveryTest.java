package io.heddle.core.session.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.testkit.InMemoryDeviceQueues.Snapshot;
import io.heddle.core.testkit.PublishMessages;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Clients of other nodes when the holder of their bucket changes, or Redis loses writes. {@link RemotePushTest} covers the pushes. */
final class RemoteRecoveryTest {
    private static final ClientId PUMP = new ClientId("pump-1");

    private final PushingNodes cluster = new PushingNodes(1_000_000);
    private final PushingNodes.Node holder = cluster.add();
    private final PushingNodes.Node other = cluster.add();

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

    @Test
    void nothingIsLostOrRepeatedWhenTheHolderDiesWithPushesInFlight() {
        PushingNodes.Node.Client client = connected();
        PushingNodes.Node next = cluster.add();
        next.sessions.restore(
                PUMP, Objects.requireNonNull(other.sessions.find(PUMP)).record());
        publish(client, "a");
        cluster.run();
        assertThat(client.take()).containsExactly("1 a");
        // The holder applies these, and dies before the frame leaves.
        publish(client, "b", "c");
        cluster.runWithoutLinks();

        cluster.kill(holder);
        next.hold();
        cluster.run();

        assertThat(client.take()).as("found by the comparison of tails").containsExactly("2 b", "3 c");
        assertThat(other.count("heddle.queues.tails.behind")).isEqualTo(1);
        publish(client, "d");
        cluster.run();
        assertThat(client.take()).containsExactly("4 d");
        assertThat(next.count("heddle.pushes.sent")).isEqualTo(1);
    }

    @Test
    void aNodeThatTakesABucketComparesTheTailsOfItsOwnClients() {
        PushingNodes.Node.Client client = connected();
        publish(client, "a");
        cluster.runWithoutLinks();

        cluster.kill(holder);
        other.hold();
        cluster.run();

        assertThat(client.take()).containsExactly("1 a");
        publish(client, "b");
        cluster.run();
        assertThat(client.take()).containsExactly("2 b");
    }

    @Test
    void tailsAreComparedAgainWhenTheQueuesDidNotAnswer() {
        PushingNodes.Node.Client client = connected();
        publish(client, "a");
        cluster.runWithoutLinks();
        cluster.kill(holder);
        PushingNodes.Node next = cluster.add();
        next.sessions.restore(
                PUMP, Objects.requireNonNull(other.sessions.find(PUMP)).record());
        other.queues.refuse(_ -> true);
        next.hold();
        cluster.run();
        assertThat(client.take()).isEmpty();

        other.queues.heal();
        other.loop.advance(Duration.ofMillis(500));
        cluster.run();

        assertThat(client.take()).containsExactly("1 a");
    }

    @Test
    void twoHoldersAtATimeDeliverEachMessageOnce() {
        PushingNodes.Node.Client client = connected();
        PushingNodes.Node next = cluster.add();
        next.sessions.restore(
                PUMP, Objects.requireNonNull(other.sessions.find(PUMP)).record());
        next.hold();
        cluster.run();

        publish(client, "a", "b", "c");
        cluster.run();

        assertThat(client.take()).containsExactly("1 a", "2 b", "3 c");
    }

    @Test
    void acknowledgementsOfAnotherNodeSurviveARollback() {
        PushingNodes.Node.Client client = connected();
        publish(client, "a", "b", "c");
        cluster.run();
        Snapshot snapshot = cluster.store.snapshot();
        assertThat(client.take()).hasSize(3);
        client.acknowledgeBelow(3);
        cluster.run();
        assertThat(client.stored()).containsExactly("c");
        publish(client, "d");
        cluster.run();

        cluster.store.rollBack(snapshot);
        publish(client, "e");
        cluster.run();

        assertThat(client.take()).containsExactly("4 d", "5 e");
        assertThat(client.stored()).as("a and b stay acknowledged").containsExactly("c", "d", "e");
    }

    @Test
    void acknowledgementsThatOnlyTheStoreHasLostAreRepeatedWhenItReturns() {
        PushingNodes.Node.Client client = connected();
        publish(client, "a", "b");
        cluster.run();
        assertThat(client.take()).hasSize(2);
        Snapshot snapshot = cluster.store.snapshot();
        client.acknowledgeBelow(3);
        cluster.run();
        assertThat(client.stored()).isEmpty();

        // The position of the bucket is the same, so that the holder sees nothing.
        cluster.store.rollBack(snapshot);
        other.connected.onStoreReturned();
        cluster.run();

        assertThat(client.stored()).isEmpty();
    }

    @Test
    void aRegistrationThatTheStoreHasLostIsRestoredForAClientOfAnotherNode() {
        Snapshot before = cluster.store.snapshot();
        PushingNodes.Node.Client client = connected();
        publish(client, "a");
        cluster.run();
        assertThat(client.take()).containsExactly("1 a");

        cluster.store.rollBack(before);
        publish(client, "b");
        cluster.run();
        publish(client, "c");
        cluster.run();

        assertThat(client.take()).containsExactly("2 b", "3 c");
    }

    @Test
    void theConnectionsOfAllNodesAreRegisteredAgainBeforeAnythingIsApplied() {
        PushingNodes.Node.Client client = connected();
        cluster.store.loseEverything();

        holder.rewind();
        cluster.runWithoutLinks();

        assertThat(client.isRegistered()).isTrue();
    }

    @Test
    void aLateAcknowledgementOfLostQueuesRemovesNoOtherMessage() {
        PushingNodes.Node.Client client = connected();
        publish(client, "a", "b", "c");
        cluster.run();
        assertThat(client.take()).hasSize(3);
        client.acknowledgeBelow(4);
        cluster.run();
        // The log lacks the first messages, so that sequence numbers begin again.
        cluster.log.clear();
        cluster.log.put(6L, enqueue(client, "d"));
        cluster.store.loseEverything();
        cluster.links.cut(holder.self, other.self);
        cluster.log.put(8L, enqueue(client, "e"));
        holder.rewind();
        cluster.run();
        assertThat(client.stored()).containsExactly("d", "e");

        // The node has not heard of the loss.
        client.acknowledgeBelow(4);
        other.connected.onStoreReturned();
        cluster.run();
        assertThat(client.stored()).as("not acknowledged").containsExactly("d", "e");

        cluster.links.heal(holder.self, other.self);
        cluster.run();
        assertThat(client.heard.lost()).singleElement().asString().contains("its sequence numbers were reset");
        PushingNodes.Node.Client again = other.connect(PUMP);
        cluster.run();
        assertThat(again.take()).containsExactly("1 d", "2 e");
    }

    @Test
    void aNewHolderEndsFeedsOfLostQueues() {
        PushingNodes.Node.Client client = connected();
        publish(client, "a", "b");
        cluster.run();
        assertThat(client.take()).hasSize(2);
        client.acknowledgeBelow(3);
        cluster.run();
        cluster.kill(holder);
        cluster.log.clear();
        cluster.log.put(6L, enqueue(client, "c"));
        cluster.store.loseEverything();

        PushingNodes.Node next = cluster.add();
        next.sessions.restore(
                PUMP, Objects.requireNonNull(other.sessions.find(PUMP)).record());
        next.hold();
        cluster.run();

        assertThat(client.heard.lost()).hasSize(1);
        assertThat(client.stored()).containsExactly("c");
    }

    private static BucketCommand enqueue(PushingNodes.Node.Client client, String payload) {
        return new BucketCommand.Enqueue(
                PublishMessages.message(payload),
                List.of(new QueueRecipient(client.clientId, client.generation, QoS.EXACTLY_ONCE, false, List.of())));
    }
}

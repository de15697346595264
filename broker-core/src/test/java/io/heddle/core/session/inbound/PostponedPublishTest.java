package io.heddle.core.session.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.testkit.RecordingSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node whose routing lease ends may have missed subscriptions: it routes messages above QoS 0 when it knows them. */
final class PostponedPublishTest {
    private final TestNode node = new TestNode();
    private final List<CompletableFuture<Void>> recoveries = new ArrayList<>();
    private final TestClient subscriber = node.connect("subscriber").subscribe(QoS.EXACTLY_ONCE, "t");
    private final TestClient publisher = node.connect("publisher");
    // Runs once, while a message to "frozen" is being routed.
    private Runnable whileRouting = () -> {};

    @BeforeEach
    void beValid() {
        node.lease.recoverWith(() -> {
            CompletableFuture<Void> recovery = new CompletableFuture<>();
            recoveries.add(recovery);
            return recovery;
        });
        renew();
        recover();
        assertThat(node.lease.isValid()).isTrue();
    }

    private void freeze() {
        node.leaseNanos += TestNode.LEASE.toNanos();
    }

    private void renew() {
        node.lease.renew(node.leaseNanos);
        node.runAll();
    }

    private void recover() {
        recoveries.removeFirst().complete(null);
        node.runAll();
    }

    private static List<Integer> pubAcks(TestClient client) {
        return client.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::packetId)
                .toList();
    }

    private static List<Integer> pubRecs(TestClient client) {
        return client.connection().sent(PubRecPacket.class).stream()
                .map(PubRecPacket::packetId)
                .toList();
    }

    /** A member of a shared subscription that lets the node freeze while a message is routed to it. */
    private final class FreezingMember implements LocalSession {
        @Override
        public ClientId clientId() {
            return new ClientId("freezing");
        }

        @Override
        public EventLoop eventLoop() {
            return node.loop;
        }

        @Override
        public DeliveryCapacity capacity() {
            Runnable once = whileRouting;
            whileRouting = () -> {};
            once.run();
            return DeliveryCapacity.READY;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public boolean deliver(PublishMessage message, DeliveryTerms terms) {
            return true;
        }

        @Override
        public void disconnect(ReasonCode reason) {
            throw new AssertionError(reason);
        }
    }

    private void freezeWhileRouting(Runnable meanwhile) {
        node.trie.put(
                new FreezingMember(),
                new Subscription(TopicFilter.parse("$share/g/frozen", 8), QoS.AT_LEAST_ONCE, false, false, 0));
        whileRouting = meanwhile;
    }

    @Test
    void messagesAreRoutedToSubscriptionsThatTheNodeHasMissed() {
        freeze();
        publisher.publish("missed", "a", QoS.AT_LEAST_ONCE, 1);
        publisher.publish("missed", "b", QoS.EXACTLY_ONCE, 2);
        renew();
        assertThat(pubAcks(publisher)).isEmpty();
        // The recovery finds this subscription.
        TestClient missed = node.connect("missed").subscribe(QoS.EXACTLY_ONCE, "missed");

        recover();
        assertThat(missed.payloads()).containsExactly("a", "b");
        assertThat(pubAcks(publisher)).containsExactly(1);
        assertThat(pubRecs(publisher)).containsExactly(2);
        assertThat(node.count("heddle.messages.received")).isEqualTo(2);
        assertThat(node.gauge("heddle.cluster.lease.publishers")).isZero();
    }

    @Test
    void subscribersGetPostponedMessagesOnceAndInOrder() {
        freeze();
        publisher.publish("t", "a", QoS.EXACTLY_ONCE, 1);
        publisher.publish("t", "b", QoS.AT_LEAST_ONCE, 2);
        assertThat(subscriber.payloads()).isEmpty();
        renew();
        publisher.publish("t", "c", QoS.EXACTLY_ONCE, 3);
        assertThat(subscriber.payloads()).isEmpty();
        assertThat(node.count("heddle.messages.postponed")).isPositive();

        recover();
        publisher.publish("t", "d", QoS.AT_LEAST_ONCE, 4);
        assertThat(subscriber.payloads()).containsExactly("a", "b", "c", "d");
        assertThat(pubAcks(publisher)).containsExactly(2, 4);
        assertThat(pubRecs(publisher)).containsExactly(1, 3);
    }

    @Test
    void aFreezeDuringTheRoutingPostponesTheMessage() {
        freezeWhileRouting(this::freeze);
        publisher.publish("frozen", "a", QoS.AT_LEAST_ONCE, 1);
        renew();
        TestClient missed = node.connect("missed").subscribe(QoS.AT_LEAST_ONCE, "frozen");

        recover();
        assertThat(missed.payloads()).containsExactly("a");
        assertThat(pubAcks(publisher)).containsExactly(1);
    }

    @Test
    void aMessageThatWasRoutedBeforeARecoveryIsRoutedAgainAfterIt() {
        RecordingSession missed = new RecordingSession("missed", node.loop);
        freezeWhileRouting(() -> {
            freeze();
            node.lease.renew(node.leaseNanos);
            // Another node has settled it during the freeze.
            node.trie.put(missed, new Subscription(TopicFilter.parse("frozen", 8), QoS.AT_LEAST_ONCE, false, false, 0));
            recoveries.removeFirst().complete(null);
        });
        publisher.publish("frozen", "a", QoS.AT_LEAST_ONCE, 1);

        assertThat(node.lease.isValid()).isTrue();
        assertThat(node.count("heddle.messages.postponed")).isOne();
        node.runAll();
        assertThat(missed.delivered()).hasSize(1);
        assertThat(pubAcks(publisher)).containsExactly(1);
    }

    @Test
    void aFreezeAfterTheRoutingDelaysOnlyTheAcknowledgement() {
        node.connect(new Connect("away").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "stored")
                .lose();
        node.log.hold(100);
        publisher.publish("stored", "a", QoS.AT_LEAST_ONCE, 1);
        freeze();
        node.log.release();
        node.runAll();
        assertThat(pubAcks(publisher)).isEmpty();

        renew();
        recover();
        assertThat(pubAcks(publisher)).containsExactly(1);
        assertThat(node.connect(new Connect("away").persistent(60).packet()).payloads())
                .containsExactly("a");
    }

    @Test
    void aFreezeDuringTheRecoveryBeginsAnotherOne() {
        freeze();
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        renew();
        freeze();
        recover();
        assertThat(subscriber.payloads()).isEmpty();
        renew();
        assertThat(subscriber.payloads()).isEmpty();

        recover();
        assertThat(subscriber.payloads()).containsExactly("a");
        assertThat(pubAcks(publisher)).containsExactly(1);
    }

    @Test
    void aLostConnectionGivesItsPostponedMessagesUp() {
        TestClient persistent = node.connect(new Connect("p").persistent(60).packet());
        long before = node.memory.chargedBytes();
        freeze();
        persistent.publish("t", "a", QoS.EXACTLY_ONCE, 1);
        assertThat(node.memory.chargedBytes()).isGreaterThan(before);
        persistent.lose();
        assertThat(node.memory.chargedBytes()).isLessThanOrEqualTo(before);
        assertThat(node.gauge("heddle.cluster.lease.publishers")).isZero();

        renew();
        recover();
        assertThat(subscriber.payloads()).isEmpty();
        TestClient again = node.connect(new Connect("p").persistent(60).packet());
        again.publish("t", "a", QoS.EXACTLY_ONCE, 1);
        assertThat(subscriber.payloads()).containsExactly("a");
        assertThat(pubRecs(again)).containsExactly(1);
    }

    @Test
    void messagesOfQoS0AreRoutedAtOnce() {
        freeze();
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        publisher.publish("t", "b");

        assertThat(subscriber.payloads()).containsExactly("b");
    }

    @Test
    void aClientThatKeepsPublishingIsNotReadUntilTheNodeHasRecovered() {
        TestClient old =
                node.connect(new Connect("old").version(MqttVersion.V3_1_1).packet());
        freeze();
        int published = 0;
        while (old.connection().isReading()) {
            assertThat(published).isLessThan(100);
            old.publish("t", "m", QoS.AT_LEAST_ONCE, ++published);
        }
        renew();
        assertThat(subscriber.payloads()).isEmpty();

        recover();
        assertThat(pubAcks(old)).hasSize(published);
        assertThat(old.connection().isReading()).isTrue();
    }

    @Test
    void postponedMessagesNeedMemory() {
        freeze();
        node.memory.charge(1_000_000);
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        assertThat(node.dropped("publish_refused_memory_limit")).isOne();
        node.memory.release(1_000_000);
        renew();

        recover();
        assertThat(publisher.connection().sent(PubAckPacket.class))
                .extracting(PubAckPacket::reason)
                .containsExactly(ReasonCode.QUOTA_EXCEEDED);
    }
}

package io.heddle.core.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingSession;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class PersistentSubscriberTest {
    private static final TopicFilter SHARED = TopicFilter.parse("$share/g/a", 8);

    private final PersistentSubscriber subscriber =
            new PersistentSubscriber(new ClientId("pump-1"), ClientType.DEVICE, 3, 42);
    private final RecordingSession connection = new RecordingSession("pump-1", new ManualEventLoop(0));

    @Test
    void messagesForADisconnectedSessionAreQueueable() {
        assertThat(subscriber.isConnected()).isFalse();
        assertThat(subscriber.connection()).isNull();
        assertThat(subscriber.capacity()).isEqualTo(DeliveryCapacity.QUEUEABLE);
    }

    @Test
    void subscriberIsConnectedWhileItsConnectionIs() {
        subscriber.connected(connection, 1);
        assertThat(subscriber.isConnected()).isTrue();
        assertThat(subscriber.capacity()).isEqualTo(DeliveryCapacity.READY);

        connection.capacity(DeliveryCapacity.FULL);
        assertThat(subscriber.capacity()).isEqualTo(DeliveryCapacity.FULL);
        connection.disconnect();
        assertThat(subscriber.isConnected()).isFalse();

        subscriber.disconnected();
        assertThat(subscriber.capacity()).isEqualTo(DeliveryCapacity.QUEUEABLE);
    }

    @Test
    void subscriberMovesBetweenListsAsItsClientConnectsAndDisconnects() {
        SubscriptionTrie trie = new SubscriptionTrie();
        trie.put(subscriber, new Subscription(SHARED, QoS.AT_LEAST_ONCE, false, false, 0));
        SharedGroup group = Objects.requireNonNull(trie.group(SHARED));
        assertThat(group.nextConnected()).isNull();

        subscriber.connected(connection, 1);
        trie.connectionChanged(subscriber, SHARED);
        assertThat(Objects.requireNonNull(group.nextConnected()).session()).isSameAs(subscriber);
        assertThat(group.nextAbsent()).isNull();

        subscriber.disconnected();
        trie.connectionChanged(subscriber, SHARED);
        assertThat(group.nextConnected()).isNull();
        assertThat(Objects.requireNonNull(group.nextAbsent()).session()).isSameAs(subscriber);
    }

    @Test
    void nextSessionOfAClientIsAnotherSubscriber() {
        SubscriptionTrie trie = new SubscriptionTrie();
        PersistentSubscriber next = new PersistentSubscriber(subscriber.clientId(), ClientType.DEVICE, 3, 43);
        TopicFilter filter = TopicFilter.parse("a", 8);
        trie.put(next, new Subscription(filter, QoS.AT_LEAST_ONCE, false, false, 0));

        assertThat(trie.remove(subscriber, filter)).isFalse();
        assertThat(trie.remove(next, filter)).isTrue();
    }
}

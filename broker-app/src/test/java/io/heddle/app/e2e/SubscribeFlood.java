package io.heddle.app.e2e;

import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttQoS;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients with persistent sessions that subscribe to many long filters and unsubscribe as fast as the broker answers, several packets
 * ahead. A disconnected client reconnects. One virtual thread per client.
 */
final class SubscribeFlood implements AutoCloseable {
    private static final int FILTERS = 300;
    private static final int FILTER_LENGTH = 3_000;
    private static final int PACKETS_AHEAD = 4;

    private final KillableBroker broker;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger rejected = new AtomicInteger();
    private volatile boolean over;

    private SubscribeFlood(KillableBroker broker) {
        this.broker = broker;
    }

    static SubscribeFlood begin(KillableBroker broker, int clients) {
        SubscribeFlood flood = new SubscribeFlood(broker);
        for (int i = 0; i < clients; i++) {
            RawConnect connect = broker.persistentClient();
            flood.threads.add(Thread.ofVirtual().start(() -> flood.run(connect)));
        }
        return flood;
    }

    private void run(RawConnect connect) {
        MqttMessageBuilders.SubscribeBuilder subscribe =
                MqttMessageBuilders.subscribe().messageId(1);
        MqttMessageBuilders.UnsubscribeBuilder unsubscribe =
                MqttMessageBuilders.unsubscribe().messageId(2);
        for (int i = 0; i < FILTERS; i++) {
            String filter = connect.clientId() + "/" + i + "/" + "f".repeat(FILTER_LENGTH);
            subscribe.addSubscription(MqttQoS.AT_LEAST_ONCE, filter);
            unsubscribe.addTopicFilter(filter);
        }
        MqttMessage[] packets = {subscribe.build(), unsubscribe.build()};
        while (!over) {
            try (RawClient client = broker.open(connect)) {
                flood(client, packets);
            } catch (IOException | UncheckedIOException | AssertionError ended) {
                // The broker has rejected a packet and ended the connection.
                rejected.incrementAndGet();
            }
        }
    }

    private void flood(RawClient client, MqttMessage[] packets) throws IOException {
        while (!over) {
            for (int i = 0; i < PACKETS_AHEAD; i++) {
                client.send(packets[i % packets.length]);
            }
            for (int i = 0; i < PACKETS_AHEAD; i++) {
                client.next();
                answered.incrementAndGet();
            }
        }
    }

    /** Returns the number of packets that the broker answered or rejected. */
    int answered() {
        return answered.get() + rejected.get();
    }

    /** Ends the flood; returns when all clients have their answers. */
    @Override
    public void close() {
        over = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPubReplyMessageVariableHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * Publishes numbered messages without an end, the odd ones at QoS 1 and the even ones at QoS 2, with a bounded number in flight. After a
 * new connection it repeats what was not answered. Measures the pauses between two answers.
 */
final class SteadyPublisher implements SteadyClient.Behaviour {
    private static final int WINDOW = 20;
    private static final int PACKET_IDS = 60_000;
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(500);

    private static final class Exchange {
        final int number;
        boolean received;

        Exchange(int number) {
            this.number = number;
        }
    }

    private final String name;
    private final String topic;
    private final long intervalNanos;
    private final SteadyClient client;
    private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private volatile boolean stopping;
    // Owned by the client's thread.
    private final Map<Integer, Exchange> inFlight = new LinkedHashMap<>();
    private int sent;
    private long nextNanos = System.nanoTime();
    private long answeredNanos;

    SteadyPublisher(DeliveryPath path, String topic, int perSecond, IntSupplier port) {
        this.name = path + "-";
        this.topic = topic;
        this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.client = new SteadyClient(SteadyClient.persistent(path), port, this);
    }

    /** Returns whether a message is one at QoS 2. */
    static boolean isExactlyOnce(String payload) {
        return number(payload) % 2 == 0;
    }

    private static int number(String payload) {
        return Integer.parseInt(payload.substring(payload.indexOf('-') + 1));
    }

    /** Returns the numbers of those messages that this client has published at QoS 2, or at QoS 1. */
    List<Integer> published(List<String> payloads, boolean exactlyOnce) {
        return payloads.stream()
                .filter(payload -> payload.startsWith(name) && isExactlyOnce(payload) == exactlyOnce)
                .map(SteadyPublisher::number)
                .toList();
    }

    SteadyClient client() {
        return client;
    }

    /** Returns the messages that the broker has acknowledged with PUBACK or PUBREC. */
    List<String> acknowledged() {
        return List.copyOf(acknowledged);
    }

    /** Returns the number of messages that the broker has acknowledged. */
    int acknowledgedCount() {
        return acknowledged.size();
    }

    /** Returns the times without an answer that were longer than half a second. */
    List<Duration> pauses() {
        return List.copyOf(pauses);
    }

    /** Publishes nothing more; the client is done when all exchanges are complete. */
    void stop() {
        stopping = true;
    }

    @Override
    public boolean onTurn(RawClient connection) {
        while (!stopping && inFlight.size() < WINDOW) {
            long early = nextNanos - System.nanoTime();
            if (early > 0 && !inFlight.isEmpty()) {
                return true;
            }
            if (early > 0) {
                LockSupport.parkNanos(early);
            } else {
                publishNext(connection);
            }
        }
        return !inFlight.isEmpty();
    }

    private void publishNext(RawClient connection) {
        nextNanos = System.nanoTime() + intervalNanos;
        sent++;
        int packetId = sent % PACKET_IDS + 1;
        Exchange exchange = new Exchange(sent);
        inFlight.put(packetId, exchange);
        publish(connection, packetId, exchange, false);
    }

    private void publish(RawClient connection, int packetId, Exchange exchange, boolean duplicate) {
        String payload = name + exchange.number;
        connection.publish(topic, payload, isExactlyOnce(payload) ? 2 : 1, packetId, duplicate);
    }

    @Override
    public void onPacket(MqttMessage packet, RawClient connection) {
        int packetId = ((MqttMessageIdVariableHeader) packet.variableHeader()).messageId();
        Exchange exchange = inFlight.get(packetId);
        if (exchange == null) {
            throw new AssertionError("no exchange of " + packet);
        }
        switch (packet.fixedHeader().messageType()) {
            case PUBACK -> {
                requireSuccess(packet);
                onAcknowledged(exchange);
                inFlight.remove(packetId);
            }
            case PUBREC -> {
                requireSuccess(packet);
                onAcknowledged(exchange);
                connection.answer(MqttMessageType.PUBREL, packetId);
            }
            case PUBCOMP -> inFlight.remove(packetId);
            default -> throw new AssertionError("an answer expected, not " + packet);
        }
    }

    private static void requireSuccess(MqttMessage packet) {
        if (packet.variableHeader() instanceof MqttPubReplyMessageVariableHeader reply) {
            assertThat(reply.reasonCode()).as("reason code of %s", packet).isZero();
        }
    }

    private void onAcknowledged(Exchange exchange) {
        if (!exchange.received) {
            exchange.received = true;
            acknowledged.add(name + exchange.number);
        }
        long now = System.nanoTime();
        Duration pause = Duration.ofNanos(now - answeredNanos);
        if (answeredNanos != 0 && pause.compareTo(SHORTEST_PAUSE) >= 0) {
            pauses.add(pause);
        }
        answeredNanos = now;
    }

    @Override
    public void onResumed(RawClient connection) {
        // Sending may fail, and the next connection then repeats it.
        for (Map.Entry<Integer, Exchange> each : new ArrayList<>(inFlight.entrySet())) {
            if (each.getValue().received) {
                connection.answer(MqttMessageType.PUBREL, each.getKey());
            } else {
                publish(connection, each.getKey(), each.getValue(), true);
            }
        }
    }
}

package io.heddle.perf.load.flood;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.wire.LargePackets;
import io.heddle.perf.load.wire.MqttVersion;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * Many retained messages, and a client that subscribes to many filters in one SUBSCRIBE, reads all matching retained messages, unsubscribes
 * and repeats. The first filters match every retained message; the others match none, but make the broker visit all. States: idle,
 * subscribing and reading, unsubscribing.
 */
public final class RetainedReplay implements Flood {
    private static final int TOPICS_IN_GROUP = 1_000;
    private static final int STORED_AT_ONCE = 500;
    private static final int MAXIMUM_PACKET_ID = 0xFFFF;
    private static final long QUIET_NANOS = 5_000_000_000L;
    private static final long STALLED_NANOS = 30_000_000_000L;

    private enum State {
        IDLE,
        SUBSCRIBING,
        READING,
        UNSUBSCRIBING
    }

    private final int messages;
    private final int matching;
    private final byte[] subscribe;
    private final byte[] unsubscribe;
    private final AttackerPool reader;
    private State state = State.IDLE;
    private long received;
    private long receivedAt;
    private long replays;

    /**
     * Stores the messages and connects the reader.
     *
     * @param matching the number of filters that match each message, at most {@link RetainedFilters#MAXIMUM_MATCHING}
     */
    public RetainedReplay(AttackContext context, int messages, int payloadBytes, int filters, int matching) {
        this.messages = messages;
        this.matching = matching;
        List<String> texts = RetainedFilters.of(context.topic("retained"), filters, matching);
        subscribe = LargePackets.subscribe(MqttVersion.V5, 1, texts, 0);
        unsubscribe = LargePackets.unsubscribe(MqttVersion.V5, 2, texts);
        context.progress("Storing " + messages + " retained messages");
        store(context, "x".repeat(payloadBytes).getBytes(US_ASCII));
        reader = new AttackerPool(
                        context, 1, new Reading(), number -> context.clients().transientClient("retained-reader", null))
                .connect();
    }

    @Override
    public boolean turn(long nowNanos) {
        reader.turn(nowNanos);
        Attacker client = reader.members().getFirst();
        Connection to = client.writableConnection();
        if (to == null) {
            if (!client.isReady()) {
                state = State.IDLE;
            }
            return false;
        }
        switch (state) {
            case IDLE -> {
                state = State.SUBSCRIBING;
                received = 0;
                client.send(ByteBuffer.wrap(subscribe), 1);
            }
            case READING -> {
                if (received >= (long) messages * matching || nowNanos - receivedAt > QUIET_NANOS) {
                    state = State.UNSUBSCRIBING;
                    replays++;
                    client.send(ByteBuffer.wrap(unsubscribe), 1);
                }
            }
            case SUBSCRIBING, UNSUBSCRIBING -> {}
        }
        return false;
    }

    @Override
    public void addTo(Map<String, Long> totals) {
        totals.put("flood: replays", replays);
    }

    @Override
    public void cleanUp(AttackContext fresh) {
        store(fresh, new byte[0]);
    }

    /** Publishes to each topic once and waits until all messages are acknowledged. */
    private void store(AttackContext at, byte[] payload) {
        AttackerPool publisher = new AttackerPool(
                        at,
                        1,
                        AttackerBehaviour.ORDINARY,
                        number -> at.clients().transientClient("retained-pub", null))
                .connect();
        Attacker client = publisher.members().getFirst();
        String topic = at.topic("retained");
        int next = 0;
        long progressNanos = System.nanoTime();
        while (next < messages || client.unacknowledged() > 0) {
            at.checkStopped();
            long now = System.nanoTime();
            if (!client.isReady() || now - progressNanos > STALLED_NANOS) {
                throw new LoadException("Retained message " + next + " of " + messages + " cannot be stored");
            }
            Connection to = client.writableConnection();
            while (to != null && to.isWritable() && next < messages && client.unacknowledged() < STORED_AT_ONCE) {
                String name = topic + "/" + next / TOPICS_IN_GROUP + "/" + next % TOPICS_IN_GROUP;
                int packetId = next % MAXIMUM_PACKET_ID + 1;
                byte[] packet = LargePackets.publish(MqttVersion.V5, name, 1, true, packetId, payload);
                to.room(packet.length).put(packet);
                client.expectAcknowledgement();
                next++;
                progressNanos = now;
            }
            if (to != null) {
                to.flush();
            }
            at.loop().turn(1);
        }
        client.cut();
    }

    /** Counts the messages that the reader receives. */
    private final class Reading implements AttackerBehaviour {
        @Override
        public void onDelivered(Attacker attacker, ByteBuffer in, int payloadAt, int payloadLength) {
            received++;
            receivedAt = System.nanoTime();
        }

        @Override
        public void onSubscriptionChanged(Attacker attacker) {
            receivedAt = System.nanoTime();
            state = state == State.SUBSCRIBING ? State.READING : State.IDLE;
        }
    }
}

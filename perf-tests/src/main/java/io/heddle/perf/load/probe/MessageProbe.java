package io.heddle.perf.load.probe;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.heddle.perf.load.accounting.Ledger;
import io.heddle.perf.load.accounting.Pace;
import io.heddle.perf.load.accounting.PhasedLatencies;
import io.heddle.perf.load.accounting.Phases;
import io.heddle.perf.load.accounting.Tally;
import io.heddle.perf.load.client.ClientPlans;
import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.client.Role;
import io.heddle.perf.load.client.Subscribe;
import io.heddle.perf.load.wire.MqttVersion;
import io.heddle.perf.load.wire.PublishTemplate;
import io.heddle.perf.load.wire.Stamp;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One publisher and one subscriber with a topic of their own, and messages at a fixed rate. The latency of a message counts from its due
 * time, also if the publisher cannot send it then. Owner: the loop's thread. Bounded by {@link #MAXIMUM_UNACKNOWLEDGED}.
 */
final class MessageProbe {
    private static final int MAXIMUM_UNACKNOWLEDGED = 500;
    private static final int FREE = -1;
    private static final int FIRST_ERROR_CODE = 0x80;

    private final String name;
    private final int qos;
    private final int run;
    private final PublishTemplate template;
    private final Ledger ledger;
    private final Tally tally = new Tally();
    private final PhasedLatencies deliveries;
    private final PhasedLatencies acknowledgements;
    private final PhasedLatencies delays;
    private final ReconnectingClient publisher;
    private final ReconnectingClient subscriber;
    // By packet identifier - 1: the unacknowledged message and its due time.
    private final int[] unacknowledged = new int[MAXIMUM_UNACKNOWLEDGED];
    private final long[] unacknowledgedSince = new long[MAXIMUM_UNACKNOWLEDGED];
    // The number of sent messages of the pace.
    private long handled;
    private boolean held;

    /**
     * Not connected yet.
     *
     * @param persistent whether the subscriber's session outlives its connection
     * @param run distinguishes the messages of this invocation from those of others
     * @param phases the phases of the measurement
     * @param delays records the delays of the generator itself
     */
    MessageProbe(
            NetworkLoop loop,
            ClientPlans clients,
            String name,
            int qos,
            boolean persistent,
            int run,
            Phases phases,
            PhasedLatencies delays) {
        this.name = name;
        this.qos = qos;
        this.run = run;
        this.delays = delays;
        deliveries = new PhasedLatencies(phases);
        acknowledgements = new PhasedLatencies(phases);
        String client = name.replace(" ", "");
        String topic = clients.prefix() + "/" + client;
        template = new PublishTemplate(
                MqttVersion.V5, topic, qos, false, ".".repeat(64).getBytes(US_ASCII));
        ledger = new Ledger(qos > 0);
        Arrays.fill(unacknowledged, FREE);
        Subscribe subscribe = new Subscribe(topic, qos);
        publisher = new ReconnectingClient(
                loop, first -> clients.transientClient(client + "-pub", null), new Publisher(), tally);
        subscriber = new ReconnectingClient(
                loop,
                first -> persistent
                        ? clients.persistentClient(client + "-sub", first, subscribe)
                        : clients.transientClient(client + "-sub", subscribe),
                new Subscriber(),
                tally);
    }

    String name() {
        return name;
    }

    int qos() {
        return qos;
    }

    boolean isConnected() {
        return publisher.isReady() && subscriber.isReady();
    }

    /** Keeps both clients connected. */
    void connect(long nowNanos) {
        subscriber.turn(nowNanos);
        publisher.turn(nowNanos);
    }

    /** Sends the messages that are due. */
    void send(Pace pace, long nowNanos) {
        long due = pace.dueBy(nowNanos);
        while (handled < due) {
            Connection to = publisher.writable();
            int slot = qos == 0 ? 0 : freeSlot();
            if (to == null || slot == FREE) {
                held = true;
                return;
            }
            long dueNanos = pace.dueNanos(handled);
            if (!held) {
                delays.record(dueNanos, nowNanos);
            }
            // The delay of the generator itself is not counted as the broker's.
            long intended = held ? dueNanos : System.nanoTime();
            int sequence = ledger.send();
            if (qos > 0) {
                unacknowledged[slot] = sequence;
                unacknowledgedSince[slot] = intended;
            }
            template.write(to.room(template.bytes()), slot + 1, run, 0, sequence, intended);
            to.flush();
            handled++;
        }
        held = false;
    }

    /** Whether all messages have arrived and are acknowledged. */
    boolean isSettled() {
        return ledger.isSettled();
    }

    /** Records unacknowledged messages with their age, and disconnects. */
    void end(long nowNanos) {
        for (int slot = 0; slot < unacknowledged.length; slot++) {
            if (unacknowledged[slot] != FREE) {
                acknowledgements.record(unacknowledgedSince[slot], nowNanos);
            }
        }
        publisher.disconnect();
        subscriber.disconnect();
    }

    Ledger ledger() {
        return ledger;
    }

    /** Refusals and broken connections, by reason. */
    Tally tally() {
        return tally;
    }

    PhasedLatencies deliveries() {
        return deliveries;
    }

    PhasedLatencies acknowledgements() {
        return acknowledgements;
    }

    private int freeSlot() {
        for (int slot = 0; slot < unacknowledged.length; slot++) {
            if (unacknowledged[slot] == FREE) {
                return slot;
            }
        }
        return FREE;
    }

    private void broken(String client, String reason) {
        tally.count(client + " broke: " + reason);
    }

    private final class Publisher implements Role {
        @Override
        public void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos) {
            tally.count("unexpected packets");
        }

        @Override
        public void acknowledged(int packetId, int reasonCode, long nowNanos) {
            int slot = packetId - 1;
            if (slot < 0 || slot >= unacknowledged.length || unacknowledged[slot] == FREE) {
                tally.count("unexpected PUBACK");
            } else if (reasonCode >= FIRST_ERROR_CODE) {
                ledger.refuse(unacknowledged[slot]);
                tally.count("PUBACK", reasonCode);
                unacknowledged[slot] = FREE;
            } else {
                ledger.acknowledge(unacknowledged[slot]);
                acknowledgements.record(unacknowledgedSince[slot], nowNanos);
                unacknowledged[slot] = FREE;
            }
        }

        @Override
        public void completed(int packetId) {}

        @Override
        public void writable() {}

        @Override
        public void broken(String reason) {
            // The session ended with the connection, so these messages are never acknowledged.
            Arrays.fill(unacknowledged, FREE);
            MessageProbe.this.broken("publisher", reason);
        }
    }

    private final class Subscriber implements Role {
        @Override
        public void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos) {
            if (payloadLength < Stamp.BYTES || Stamp.run(in, payloadAt) != run) {
                tally.count("foreign messages");
            } else if (ledger.deliver(Stamp.sequence(in, payloadAt))) {
                deliveries.record(Stamp.intendedNanos(in, payloadAt), nowNanos);
            }
        }

        @Override
        public void acknowledged(int packetId, int reasonCode, long nowNanos) {
            tally.count("unexpected packets");
        }

        @Override
        public void completed(int packetId) {}

        @Override
        public void writable() {}

        @Override
        public void broken(String reason) {
            MessageProbe.this.broken("subscriber", reason);
        }
    }
}

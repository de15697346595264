package io.heddle.perf.load.probe;

import io.heddle.perf.load.accounting.PhasedLatencies;
import io.heddle.perf.load.accounting.Phases;
import io.heddle.perf.load.accounting.Tally;
import io.heddle.perf.load.client.ClientPlan;
import io.heddle.perf.load.client.ClientPlans;
import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.client.Role;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One persistent client that repeatedly connects and disconnects. A CONNECT that times out counts with the timeout. Owner: the loop's
 * thread. States: pausing, connecting.
 */
final class ConnectProbe {
    /** The name of the client. */
    static final String CLIENT = "connect";

    private static final long TIMEOUT_NANOS = 15_000_000_000L;

    private final NetworkLoop loop;
    private final ClientPlans clients;
    private final long intervalNanos;
    private final PhasedLatencies latencies;
    private final Tally tally = new Tally();
    private @Nullable Connection connection;
    private boolean known;
    private boolean answered;
    private boolean refused;
    private long connected;
    private long dueNanos;
    private long openedNanos;

    ConnectProbe(NetworkLoop loop, ClientPlans clients, double perSecond, Phases phases) {
        latencies = new PhasedLatencies(phases);
        this.loop = loop;
        this.clients = clients;
        intervalNanos = (long) (1e9 / perSecond);
    }

    void start(long nowNanos) {
        dueNanos = nowNanos;
    }

    /** Opens the next connection when it is due, and times out a pending one. */
    void turn(long nowNanos) {
        Connection current = connection;
        if (current != null && !answered) {
            if (nowNanos - openedNanos < TIMEOUT_NANOS) {
                return;
            }
            current.close();
            answer(nowNanos);
            tally.count("no CONNACK within 15 s");
        }
        if (nowNanos - dueNanos < 0) {
            return;
        }
        if (current != null) {
            // The broker should have closed it after DISCONNECT.
            current.close();
        }
        dueNanos = Math.max(dueNanos + intervalNanos, nowNanos);
        openedNanos = nowNanos;
        answered = false;
        refused = false;
        ClientPlan plan = clients.persistentClient(CLIENT, !known, null);
        try {
            connection = Connection.open(loop, plan, new Client());
        } catch (IOException e) {
            tally.count("a connection cannot be opened: " + e.getMessage());
            answered = true;
        }
    }

    /** Records a pending connection with its age. */
    void end(long nowNanos) {
        Connection current = connection;
        if (current != null) {
            if (!answered) {
                answer(nowNanos);
                tally.count("unanswered at the end");
            }
            current.disconnect();
            current.close();
        }
    }

    /** The times from the first SYN to CONNACK, of accepted, refused and timed out connections. */
    PhasedLatencies latencies() {
        return latencies;
    }

    long connected() {
        return connected;
    }

    /** Failed connections by reason. */
    Tally tally() {
        return tally;
    }

    private void answer(long nowNanos) {
        answered = true;
        latencies.record(openedNanos, nowNanos);
    }

    private final class Client implements Role {
        @Override
        public void ready() {
            Connection current = connection;
            if (current != null && !answered) {
                known = true;
                connected++;
                answer(System.nanoTime());
                current.disconnect();
            }
        }

        @Override
        public void refused(int code) {
            refused = true;
            answer(System.nanoTime());
            tally.count("CONNACK", code);
        }

        @Override
        public void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos) {
            tally.count("unexpected packets");
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
            if (!refused) {
                if (!answered) {
                    answer(System.nanoTime());
                }
                tally.count(reason);
            }
        }
    }
}

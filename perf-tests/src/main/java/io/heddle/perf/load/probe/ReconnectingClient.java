package io.heddle.perf.load.probe;

import io.heddle.perf.load.accounting.Tally;
import io.heddle.perf.load.client.ClientPlan;
import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.client.Role;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A client that stays connected: it reopens a broken connection after a pause. */
final class ReconnectingClient {
    private static final long PAUSE_NANOS = 250_000_000;
    private static final long HANDSHAKE_NANOS = 10_000_000_000L;

    private final NetworkLoop loop;
    private final Function<Boolean, ClientPlan> plans;
    private final Role role;
    private final Tally breaks;
    private @Nullable Connection connection;
    private boolean wasReady;
    private long openedNanos;

    /**
     * Not connected yet.
     *
     * @param plans creates the plan; the argument is whether this is the client's first connection
     * @param breaks counts connections that do not become ready in time
     */
    ReconnectingClient(NetworkLoop loop, Function<Boolean, ClientPlan> plans, Role role, Tally breaks) {
        this.loop = loop;
        this.plans = plans;
        this.role = role;
        this.breaks = breaks;
    }

    /** Opens the connection if there is none. */
    void turn(long nowNanos) {
        Connection current = connection;
        if (current != null) {
            switch (current.state()) {
                case READY -> {
                    wasReady = true;
                    return;
                }
                case OPENING, CONNECTING, SUBSCRIBING -> {
                    if (nowNanos - openedNanos < HANDSHAKE_NANOS) {
                        return;
                    }
                    current.close();
                    breaks.count("no answer to CONNECT or SUBSCRIBE within 10 s");
                }
                case ENDING, ENDED, BROKEN -> {
                    if (nowNanos - openedNanos < PAUSE_NANOS) {
                        return;
                    }
                }
            }
        }
        openedNanos = nowNanos;
        try {
            connection = Connection.open(loop, plans.apply(!wasReady), role);
        } catch (IOException e) {
            breaks.count("a connection cannot be opened: " + e.getMessage());
        }
    }

    /** The connection if it is writable, else null. */
    @Nullable
    Connection writable() {
        Connection current = connection;
        return current != null && current.isWritable() ? current : null;
    }

    boolean isReady() {
        Connection current = connection;
        return current != null && current.isReady();
    }

    void disconnect() {
        Connection current = connection;
        if (current != null) {
            current.disconnect();
            current.close();
        }
    }
}

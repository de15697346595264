package io.heddle.perf.load.probe;

import io.heddle.perf.load.accounting.Tally;
import io.heddle.perf.load.client.ClientPlan;
import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.client.Role;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One client that is to stay connected: opens its connection, and opens it again after a pause when it broke. */
final class Link {
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
     * @param plans by whether this is the client's first connection
     * @param breaks takes connections that do not become ready in time
     */
    Link(NetworkLoop loop, Function<Boolean, ClientPlan> plans, Role role, Tally breaks) {
        this.loop = loop;
        this.plans = plans;
        this.role = role;
        this.breaks = breaks;
    }

    /** Opens the connection when there is none. */
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

    /** The connection if it can take packets now, else null. */
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

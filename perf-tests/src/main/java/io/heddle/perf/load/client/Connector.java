package io.heddle.perf.load.client;

import io.heddle.perf.load.LoadException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Brings many connections up, with a bound on those that are not ready yet, and down again. Owner: the loop's thread. */
public final class Connector {
    private static final long TURN_MILLIS = 100;

    private final NetworkLoop loop;
    private final int atOnce;
    private final Duration patience;

    /**
     * A connector.
     *
     * @param atOnce connections under way at a time, so that the broker's listener does not overflow
     * @param patience without one more connection coming up, or ending, until it counts as a failure
     */
    public Connector(NetworkLoop loop, int atOnce, Duration patience) {
        this.loop = loop;
        this.atOnce = atOnce;
        this.patience = patience;
    }

    /** The role that a client plays, and its plan. */
    public record Part(ClientPlan plan, Role role) {}

    /** Opens that many connections and returns when all are ready. */
    public List<Connection> connect(int count, IntFunction<Part> parts) {
        List<Connection> all = new ArrayList<>(count);
        List<Connection> underWay = new ArrayList<>(atOnce);
        long progressNanos = System.nanoTime();
        while (all.size() < count || !underWay.isEmpty()) {
            while (all.size() < count && underWay.size() < atOnce) {
                Part part = parts.apply(all.size());
                Connection opened = open(part, all.size());
                all.add(opened);
                underWay.add(opened);
            }
            loop.turn(TURN_MILLIS);
            for (Connection connection : underWay) {
                String fault = connection.fault();
                if (fault != null) {
                    throw new LoadException("A connection broke before it was ready (" + ready(all, underWay) + " of "
                            + count + " were): " + fault);
                }
            }
            if (underWay.removeIf(Connection::isReady)) {
                progressNanos = System.nanoTime();
            } else if (System.nanoTime() - progressNanos > patience.toNanos()) {
                throw new LoadException("No connection became ready for " + patience.toSeconds() + " s ("
                        + ready(all, underWay) + " of " + count + " are; "
                        + underWay.getFirst().state() + ")");
            }
        }
        return all;
    }

    /** Says DISCONNECT on each and waits until the broker has closed them; closes those that it does not close. */
    public void disconnect(List<Connection> connections) {
        connections.forEach(Connection::disconnect);
        long deadline = System.nanoTime() + patience.toNanos();
        List<Connection> open = new ArrayList<>(connections);
        while (true) {
            open.removeIf(connection -> connection.state() != Connection.State.ENDING);
            if (open.isEmpty() || System.nanoTime() - deadline > 0) {
                break;
            }
            loop.turn(TURN_MILLIS);
        }
        open.forEach(Connection::close);
        loop.turn(0);
    }

    private Connection open(Part part, int number) {
        try {
            return Connection.open(loop, part.plan(), part.role());
        } catch (IOException e) {
            throw new LoadException(
                    "Connection number " + (number + 1) + " cannot be opened: " + e.getMessage()
                            + " (each takes a file descriptor of the generator: see ulimit -n)",
                    e);
        }
    }

    private static int ready(List<Connection> all, List<Connection> underWay) {
        return all.size() - underWay.size();
    }
}

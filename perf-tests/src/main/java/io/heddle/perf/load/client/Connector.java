package io.heddle.perf.load.client;

import io.heddle.perf.load.LoadException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Opens and closes many connections, with a limited number of concurrent handshakes. Owner: the loop's thread. */
public final class Connector {
    private static final long TURN_MILLIS = 100;

    private final NetworkLoop loop;
    private final int atOnce;
    private final Duration patience;

    /**
     * A connector.
     *
     * @param atOnce concurrent handshakes, limited so that the broker's accept queue does not overflow
     * @param patience maximum time without progress
     */
    public Connector(NetworkLoop loop, int atOnce, Duration patience) {
        this.loop = loop;
        this.atOnce = atOnce;
        this.patience = patience;
    }

    /** A client to connect. */
    public record Client(ClientPlan plan, Role role) {}

    /** Opens connections and returns when all are ready. */
    public List<Connection> connect(int count, IntFunction<Client> clients) {
        List<Connection> all = new ArrayList<>(count);
        List<Connection> connecting = new ArrayList<>(atOnce);
        long progressNanos = System.nanoTime();
        while (all.size() < count || !connecting.isEmpty()) {
            while (all.size() < count && connecting.size() < atOnce) {
                Client client = clients.apply(all.size());
                Connection opened = open(client, all.size());
                all.add(opened);
                connecting.add(opened);
            }
            loop.turn(TURN_MILLIS);
            for (Connection connection : connecting) {
                String fault = connection.fault();
                if (fault != null) {
                    throw new LoadException("A connection broke before it was ready (" + ready(all, connecting) + " of "
                            + count + " were): " + fault);
                }
            }
            if (connecting.removeIf(Connection::isReady)) {
                progressNanos = System.nanoTime();
            } else if (System.nanoTime() - progressNanos > patience.toNanos()) {
                throw new LoadException("No connection became ready for " + patience.toSeconds() + " s ("
                        + ready(all, connecting) + " of " + count + " are; "
                        + connecting.getFirst().state() + ")");
            }
        }
        return all;
    }

    /** Sends DISCONNECT on each connection and waits until the broker has closed it; after a timeout closes the rest. */
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

    private Connection open(Client client, int number) {
        try {
            return Connection.open(loop, client.plan(), client.role());
        } catch (IOException e) {
            throw new LoadException(
                    "Connection number " + (number + 1) + " cannot be opened: " + e.getMessage()
                            + " (each needs a file descriptor: raise ulimit -n)",
                    e);
        }
    }

    private static int ready(List<Connection> all, List<Connection> connecting) {
        return all.size() - connecting.size();
    }
}

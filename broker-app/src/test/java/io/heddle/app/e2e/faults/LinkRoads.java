package io.heddle.app.e2e.faults;

import io.heddle.standalone.testkit.Relay;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways of the other brokers to the port for links of one broker, which advertises the port of this class. Each other broker has a relay of
 * its own: what it stops, that broker cannot send to this one. The process of a connection tells which relay is used. Two virtual threads per
 * connection; thread-safe.
 */
final class LinkRoads implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LinkRoads.class);
    private static final int BUFFER_BYTES = 16 << 10;
    private static final int HEX = 16;
    private static final int LOCAL_ADDRESS = 1;
    private static final int REMOTE_ADDRESS = 2;
    private static final int INODE = 9;
    private static final List<Path> SOCKETS = List.of(Path.of("/proc/net/tcp6"), Path.of("/proc/net/tcp"));

    private final ServerSocket listener;
    private final Supplier<Map<Long, String>> brokers;
    private final Map<String, Relay> relays = new ConcurrentHashMap<>();

    private LinkRoads(ServerSocket listener, Supplier<Map<Long, String>> brokers) {
        this.listener = listener;
        this.brokers = brokers;
    }

    /**
     * Opens the roads, which are cut until {@link #forwardTo}.
     *
     * @param from the ids of the other brokers
     * @param brokers the ids of the brokers by their processes; any thread
     */
    static LinkRoads open(Collection<String> from, Supplier<Map<Long, String>> brokers) throws IOException {
        LinkRoads roads = new LinkRoads(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), brokers);
        for (String broker : from) {
            roads.relays.put(broker, Relay.open());
        }
        Thread.ofVirtual().name("link-roads").start(roads::accept);
        return roads;
    }

    /** Returns the port that the broker advertises. */
    int port() {
        return listener.getLocalPort();
    }

    /** Forwards to the port on which the broker listens. */
    void forwardTo(int port) {
        relays.values().forEach(relay -> relay.forwardTo(port));
    }

    /** The relays of all other brokers. */
    Collection<Relay> all() {
        return relays.values();
    }

    /** The relay of another broker. */
    Relay from(String broker) {
        Relay relay = relays.get(broker);
        if (relay == null) {
            throw new IllegalArgumentException(broker);
        }
        return relay;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().name("link-road").start(() -> connect(client));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void connect(Socket client) {
        try (client) {
            String broker = brokerAt(client.getPort());
            if (broker == null) {
                return;
            }
            try (Socket relay =
                    new Socket(InetAddress.getLoopbackAddress(), from(broker).port())) {
                client.setTcpNoDelay(true);
                relay.setTcpNoDelay(true);
                Thread back = Thread.ofVirtual().name("link-road-back").start(() -> pump(relay, client));
                pump(client, relay);
                back.join();
            }
        } catch (IOException over) {
            log.debug("A connection between brokers has ended", over);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException over) {
            log.debug("A connection between brokers has ended", over);
        }
    }

    /** Returns the broker whose process has this end of a connection to the listener, or null if it has closed it. */
    private @Nullable String brokerAt(int clientPort) throws IOException {
        String inode = inodeOf(clientPort);
        if (inode == null) {
            return null;
        }
        for (Map.Entry<Long, String> broker : brokers.get().entrySet()) {
            if (has(broker.getKey(), "socket:[" + inode + "]")) {
                return broker.getValue();
            }
        }
        return null;
    }

    private @Nullable String inodeOf(int clientPort) throws IOException {
        for (Path sockets : SOCKETS) {
            for (String line : Files.readAllLines(sockets)) {
                String[] fields = line.strip().split("\\s+", -1);
                if (fields[0].endsWith(":")
                        && portOf(fields[LOCAL_ADDRESS]) == clientPort
                        && portOf(fields[REMOTE_ADDRESS]) == port()) {
                    return fields[INODE];
                }
            }
        }
        return null;
    }

    private static int portOf(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), HEX);
    }

    private static boolean has(long process, String socket) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(process), "fd"))) {
            for (Path each : open.toList()) {
                if (linkOf(each).equals(socket)) {
                    return true;
                }
            }
        } catch (NoSuchFileException ended) {
            return false;
        }
        return false;
    }

    private static String linkOf(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException closed) {
            return "";
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Relay relay : relays.values()) {
            relay.close();
        }
    }
}

package io.heddle.standalone;

import io.heddle.standalone.directory.DamagedFileException;
import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.directory.StandaloneException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * The loopback ports of the servers. They are chosen at random once, stored in a file, and reused as long as they are free at a start, so
 * that addresses known to clients stay valid across restarts.
 */
final class Ports {
    /**
     * Names another range, as {@code 11000-11999}. Parallel test processes have ranges of their own, because a port that is free when it is
     * chosen can be taken before its server listens, and a stopped broker's ports are free.
     */
    static final String RANGE = "heddle.standalone.ports";

    /**
     * Below the kernel's range for outgoing connections, so that no client occupies a stored port; and low enough that the cluster bus of
     * Redis, ten thousand ports higher, is below that range, too.
     */
    private static final int FIRST = 15_000;

    private static final int LAST = 22_499;
    private static final int CLUSTER_BUS_OFFSET = 10_000;
    private static final int HIGHEST_PORT = 65_535;
    private static final int MAXIMUM_NODES = 1_000;
    private static final int ATTEMPTS = 1_000;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

    private final Path file;
    private final Properties stored;
    private final RandomGenerator random;
    private final int first;
    private final int last;
    private final Set<Integer> assigned = new HashSet<>();

    private Ports(Path file, Properties stored, RandomGenerator random) {
        this.file = file;
        this.stored = stored;
        this.random = random;
        String[] range = System.getProperty(RANGE, FIRST + "-" + LAST).split("-", 2);
        this.first = Integer.parseInt(range[0]);
        this.last = Integer.parseInt(range[1]);
    }

    static Ports load(Path file, RandomGenerator random) throws IOException {
        try {
            return new Ports(file, PrivateFiles.read(file), random);
        } catch (DamagedFileException e) {
            throw damaged(file, String.valueOf(e.getMessage()));
        }
    }

    private static StandaloneException damaged(Path file, String reason) {
        return new StandaloneException("The file " + file + " is damaged (" + reason
                + "): delete it, and new ports are chosen for the servers.");
    }

    /** The stored number of a key, or the default. Throws StandaloneException if the stored value is not a number from 1 to the highest. */
    private int number(String key, int defaultValue, int highest) {
        String text = stored.getProperty(key);
        if (text == null) {
            return defaultValue;
        }
        int number = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (number < 1 || number > highest) {
            throw damaged(file, key + " is not a number from 1 to " + highest);
        }
        return number;
    }

    /** The stored port of this name if it is free, else a new one. */
    int port(String name) {
        return port(name, false);
    }

    /** Like {@link #port(String)}, for a Redis Cluster node, which also needs the port of its cluster bus. */
    int portWithClusterBus(String name) {
        return port(name, true);
    }

    private int port(String name, boolean clusterBus) {
        int port = number(name, 0, HIGHEST_PORT);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (port != 0
                    && !assigned.contains(port)
                    && isFree(port)
                    && (!clusterBus
                            || (port + CLUSTER_BUS_OFFSET <= HIGHEST_PORT && isFree(port + CLUSTER_BUS_OFFSET)))) {
                assigned.add(port);
                stored.setProperty(name, Integer.toString(port));
                return port;
            }
            port = random.nextInt(first, last + 1);
        }
        throw new StandaloneException("No free port between " + first + " and " + last
                + " was found on 127.0.0.1 for the servers: stop the programs that use these ports, or "
                + StandaloneException.EXTERNAL_SERVERS + ".");
    }

    /** Stores the number of a server's nodes at the first start. Throws StandaloneException if a later start requests another number. */
    void requireNodes(Server server, int nodes) {
        String key = server.label() + ".nodes";
        int before = number(key, nodes, MAXIMUM_NODES);
        if (before != nodes) {
            throw new StandaloneException("The data directory " + file.getParent() + " was created with " + before + " "
                    + server.displayName() + " node(s), not " + nodes + ": start with " + before
                    + ", or name another directory with --data-dir.");
        }
        stored.setProperty(key, Integer.toString(nodes));
    }

    void save() throws IOException {
        PrivateFiles.write(file, stored);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            // As the servers do; connections of an earlier run in TIME_WAIT do not matter.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}

package io.heddle.standalone;

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
 * The loopback ports of the servers: chosen once, remembered in a file, and kept as long as they are free at a start,
 * so that what others learned about a server stays true across restarts.
 */
final class Ports {
    /**
     * Below the kernel's range for outgoing connections, so that a remembered port is not taken by a client meanwhile;
     * and low enough that Redis Cluster's second port, ten thousand higher, is below it too.
     */
    private static final int FIRST = 15_000;

    private static final int LAST = 22_499;
    private static final int CLUSTER_BUS_OFFSET = 10_000;
    private static final int HIGHEST_PORT = 65_535;
    private static final int MOST_NODES = 1_000;
    private static final int ATTEMPTS = 1_000;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

    private final Path file;
    private final Properties remembered;
    private final RandomGenerator random;
    private final Set<Integer> given = new HashSet<>();

    private Ports(Path file, Properties remembered, RandomGenerator random) {
        this.file = file;
        this.remembered = remembered;
        this.random = random;
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
                + "): delete it, and the servers' ports are chosen anew.");
    }

    /** What is remembered under a key; the other value when nothing is. Throws StandaloneException when it is no such number. */
    private int number(String key, int otherwise, int highest) {
        String text = remembered.getProperty(key);
        if (text == null) {
            return otherwise;
        }
        int number = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (number < 1 || number > highest) {
            throw damaged(file, key + " is not a number from 1 to " + highest);
        }
        return number;
    }

    /** The remembered port of that name if it is still free, else a new one. */
    int port(String name) {
        return port(name, false);
    }

    /** The same for a Redis Cluster node, which listens on a second port too. */
    int portWithClusterBus(String name) {
        return port(name, true);
    }

    private int port(String name, boolean clusterBus) {
        int port = number(name, 0, HIGHEST_PORT);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (port != 0
                    && !given.contains(port)
                    && isFree(port)
                    && (!clusterBus
                            || (port + CLUSTER_BUS_OFFSET <= HIGHEST_PORT && isFree(port + CLUSTER_BUS_OFFSET)))) {
                given.add(port);
                remembered.setProperty(name, Integer.toString(port));
                return port;
            }
            port = random.nextInt(FIRST, LAST + 1);
        }
        throw new StandaloneException("No free port between " + FIRST + " and " + LAST
                + " was found on 127.0.0.1 for the servers: stop what uses them, or "
                + StandaloneException.EXTERNAL_SERVERS + ".");
    }

    /** How many nodes of a server this data directory was laid out for. Throws StandaloneException when it is another number. */
    void requireNodes(Server server, int nodes) {
        String key = server.label() + ".nodes";
        int before = number(key, nodes, MOST_NODES);
        if (before != nodes) {
            throw new StandaloneException("The data directory " + file.getParent() + " was laid out for " + before + " "
                    + server.displayName() + " node(s), not " + nodes + ": start with " + before
                    + ", or name another directory with --data-dir.");
        }
        remembered.setProperty(key, Integer.toString(nodes));
    }

    void save() throws IOException {
        PrivateFiles.write(file, remembered);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            // As the servers do; a connection of an earlier run that lingers is no obstacle.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}

package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * A loopback relay in front of all nodes of Redis that parses commands, so that a test can stall Redis at an exact command. Replies always
 * pass. Thread-safe; two virtual threads per connection.
 */
final class RedisGate implements AutoCloseable {
    private static final int REPLY_BYTES = 8_192;
    private static final int LONGEST_ADDRESS = "127.0.0.1:65535".length();

    private final List<Route> routes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Set<Socket> sockets = new HashSet<>();
    private String trigger = "";
    private int allowed = Integer.MAX_VALUE;
    private boolean holding;

    /** The way to one node of Redis. All ports have five digits. */
    private record Route(ServerSocket listener, URI redis) {
        String redisAddress() {
            return "127.0.0.1:" + redis.getPort();
        }

        String gateAddress() {
            return "127.0.0.1:" + listener.getLocalPort();
        }
    }

    private RedisGate(List<Route> routes) {
        this.routes = routes;
    }

    /** Opens a gate to Redis, or to all masters of a Redis Cluster, which passes everything. */
    static RedisGate open(List<String> redisUrls) throws IOException {
        List<Route> routes = new ArrayList<>();
        for (String url : redisUrls) {
            routes.add(new Route(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), URI.create(url)));
        }
        RedisGate gate = new RedisGate(List.copyOf(routes));
        for (Route route : gate.routes) {
            Thread.ofVirtual().name("redis-gate").start(() -> gate.accept(route));
        }
        return gate;
    }

    /** Returns the URLs for the broker, separated by commas. */
    String urls() {
        return routes.stream()
                .map(route -> "redis://" + route.redis().getUserInfo() + "@" + route.gateAddress())
                .collect(Collectors.joining(","));
    }

    /** Passes this many more commands that contain the text; holds the next such command and all later ones until {@link #lose}. */
    void holdAfter(int commands, String text) {
        lock.lock();
        try {
            trigger = text;
            allowed = commands;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the gate holds a command. */
    boolean isHolding() {
        lock.lock();
        try {
            return holding;
        } finally {
            lock.unlock();
        }
    }

    /** Discards the held commands, whose sender is dead, and passes later commands. */
    void lose() throws IOException {
        Set<Socket> open;
        lock.lock();
        try {
            open = Set.copyOf(sockets);
            sockets.clear();
            holding = false;
            allowed = Integer.MAX_VALUE;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept(Route route) {
        ServerSocket listener = route.listener();
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().name("redis-gate-connect").start(() -> connect(client, route));
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** A client that disconnects, or a Redis that refuses the connection, ends this connection only. */
    private void connect(Socket client, Route route) {
        try {
            Socket redis =
                    new Socket(InetAddress.getLoopbackAddress(), route.redis().getPort());
            client.setTcpNoDelay(true);
            redis.setTcpNoDelay(true);
            lock.lock();
            try {
                sockets.add(client);
                sockets.add(redis);
            } finally {
                lock.unlock();
            }
            Thread.ofVirtual().name("redis-gate-answers").start(() -> relay(redis, client, false));
            relay(client, redis, true);
        } catch (IOException refused) {
            closeQuietly(client);
        }
    }

    private void relay(Socket from, Socket to, boolean commands) {
        try (from;
                to) {
            OutputStream out = to.getOutputStream();
            if (commands) {
                DataInputStream in = new DataInputStream(from.getInputStream());
                for (byte[] command = command(in); mayPass(command, from); command = command(in)) {
                    out.write(command);
                }
            } else {
                passReplies(from.getInputStream(), out);
            }
        } catch (IOException over) {
            // One side has closed; close the other.
            closeQuietly(to);
        } finally {
            lock.lock();
            try {
                sockets.remove(from);
                sockets.remove(to);
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Replaces the addresses of a Redis Cluster by those of the gate, which the client connects to next. An address of which only the
     * beginning has arrived waits for the rest; a complete reply never ends with the beginning of an address.
     */
    private void passReplies(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[REPLY_BYTES];
        String incomplete = "";
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            String text = incomplete + new String(buffer, 0, count, ISO_8859_1);
            for (Route route : routes) {
                text = text.replace(route.redisAddress(), route.gateAddress());
            }
            int complete = beginningOfAddress(text);
            out.write(text.substring(0, complete).getBytes(ISO_8859_1));
            incomplete = text.substring(complete);
        }
    }

    /** Returns where an incomplete address begins at the end of the text, or the length of the text. */
    private int beginningOfAddress(String text) {
        for (int from = Math.max(0, text.length() - LONGEST_ADDRESS); from < text.length(); from++) {
            String end = text.substring(from);
            if (routes.stream().anyMatch(route -> route.redisAddress().startsWith(end))) {
                return from;
            }
        }
        return text.length();
    }

    private static void closeQuietly(AutoCloseable open) {
        try {
            open.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits while the gate holds commands. Returns false if the connection was discarded meanwhile. */
    private boolean mayPass(byte[] command, Socket from) {
        lock.lock();
        try {
            if (!trigger.isEmpty() && new String(command, ISO_8859_1).contains(trigger)) {
                holding |= allowed == 0;
                allowed = Math.max(0, allowed - 1);
            }
            while (holding && sockets.contains(from)) {
                changed.awaitUninterruptibly();
            }
            return sockets.contains(from);
        } finally {
            lock.unlock();
        }
    }

    /** Reads an array of bulk strings, the form of a client's command. */
    private static byte[] command(DataInputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int parts = number('*', in, bytes);
        for (int i = 0; i < parts; i++) {
            byte[] part = new byte[number('$', in, bytes) + 2];
            in.readFully(part);
            bytes.write(part);
        }
        return bytes.toByteArray();
    }

    private static int number(char type, DataInputStream in, ByteArrayOutputStream bytes) throws IOException {
        StringBuilder line = new StringBuilder();
        int next;
        do {
            next = in.readUnsignedByte();
            bytes.write(next);
            line.append((char) next);
        } while (next != '\n');
        if (line.charAt(0) != type) {
            throw new IllegalStateException("not the beginning of " + type + ": " + line);
        }
        return Integer.parseInt(line.substring(1).strip());
    }

    @Override
    public void close() throws IOException {
        for (Route route : routes) {
            route.listener().close();
        }
        lose();
    }
}

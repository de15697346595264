package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A loopback relay in front of Redis that parses commands, so that a test can stall Redis at an exact command. Replies always pass.
 * Thread-safe; two virtual threads per connection.
 */
final class RedisGate implements AutoCloseable {
    private final ServerSocket listener;
    private final int redisPort;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Set<Socket> sockets = new HashSet<>();
    private String trigger = "";
    private int allowed = Integer.MAX_VALUE;
    private boolean holding;

    private RedisGate(ServerSocket listener, int redisPort) {
        this.listener = listener;
        this.redisPort = redisPort;
    }

    /** Opens a gate to a loopback port, which passes everything. */
    static RedisGate open(int redisPort) throws IOException {
        RedisGate gate = new RedisGate(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), redisPort);
        Thread.ofVirtual().name("redis-gate").start(gate::accept);
        return gate;
    }

    /** Returns the URL for the broker. */
    int port() {
        return listener.getLocalPort();
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

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().name("redis-gate-connect").start(() -> connect(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** A client that disconnects, or a Redis that refuses the connection, ends this connection only. */
    private void connect(Socket client) {
        try {
            Socket redis = new Socket(InetAddress.getLoopbackAddress(), redisPort);
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
                from.getInputStream().transferTo(out);
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
        listener.close();
        lose();
    }
}

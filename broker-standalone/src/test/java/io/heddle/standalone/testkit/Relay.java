package io.heddle.standalone.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A loopback TCP relay in front of a server, to break the network in ways that a process's signals cannot.
 *
 * <p>States: passing (perhaps with a delay), silent (connections stay, bytes wait here and in the kernel's buffers), deaf (as silent, but
 * only for what the server sends), cut (connections are reset, new ones closed at once). Thread-safe; two virtual threads per connection.
 */
public final class Relay implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    /** Changes what the server sends on one connection. Confined to the thread of that direction. */
    @FunctionalInterface
    public interface Rewriting {
        /** Returns what is passed on; a rest may wait for the next bytes. */
        byte[] pass(byte[] bytes, int length);
    }

    private enum State {
        PASSING,
        SILENT,
        DEAF,
        CUT
    }

    private final ServerSocket listener;
    private final Supplier<Rewriting> rewriting;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Set<Socket> sockets = new HashSet<>();
    private State state = State.CUT;
    private Duration delay = Duration.ZERO;
    private int target;

    private Relay(ServerSocket listener, Supplier<Rewriting> rewriting) {
        this.listener = listener;
        this.rewriting = rewriting;
    }

    /** Listens on a free port and is cut until {@link #forwardTo}. */
    public static Relay open() throws IOException {
        return open(InetAddress.getLoopbackAddress(), 0);
    }

    /** Listens on an address of this machine, on any free port if the port is 0, and is cut until {@link #forwardTo}. */
    public static Relay open(InetAddress address, int port) throws IOException {
        return start(new Relay(new ServerSocket(port, 0, address), () -> Arrays::copyOf));
    }

    /** Listens on a free port, and rewrites what the server sends. */
    public static Relay rewriting(Supplier<Rewriting> rewriting) throws IOException {
        return start(new Relay(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), rewriting));
    }

    private static Relay start(Relay relay) {
        Thread.ofVirtual().name("relay-accept").start(relay::accept);
        return relay;
    }

    /** The port for clients. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Forwards connections to this loopback port. */
    public void forwardTo(int port) {
        lock.lock();
        try {
            target = port;
        } finally {
            lock.unlock();
        }
        enter(State.PASSING);
    }

    /** Resets all connections and closes new ones immediately, until {@link #restore}. */
    public void cut() {
        enter(State.CUT);
        closeAll();
    }

    /** Accepts and keeps connections, but holds all data in both directions until {@link #restore}. No data is lost. */
    public void silence() {
        enter(State.SILENT);
    }

    /** Holds what servers send until {@link #restore}; they receive what clients send. No data is lost. */
    public void silenceServers() {
        enter(State.DEAF);
    }

    /** Forwards again, after {@link #cut}, {@link #silence} or {@link #silenceServers}. */
    public void restore() {
        enter(State.PASSING);
    }

    /** Delays each chunk of up to 64 KiB in both directions; zero ends the delay. */
    public void delay(Duration pause) {
        lock.lock();
        try {
            delay = pause;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void enter(State next) {
        lock.lock();
        try {
            state = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                int port = targetFor(client);
                if (port == 0) {
                    reset(client);
                } else {
                    Thread.ofVirtual().name("relay-connect").start(() -> connect(client, port));
                }
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** The target port; zero if connections are cut. */
    private int targetFor(Socket client) {
        lock.lock();
        try {
            if (state == State.CUT) {
                return 0;
            }
            sockets.add(client);
            return target;
        } finally {
            lock.unlock();
        }
    }

    private void connect(Socket client, int port) {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
            lock.lock();
            try {
                sockets.add(server);
            } finally {
                lock.unlock();
            }
            Thread.ofVirtual().name("relay-out").start(() -> pump(client, server, State.SILENT, Arrays::copyOf));
            pump(server, client, State.DEAF, rewriting.get());
        } catch (IOException refused) {
            end(client);
        }
    }

    /** @param held the state, besides silent, in which the direction is held */
    private void pump(Socket from, Socket to, State held, Rewriting passing) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int read = in.read(buffer);
            while (read >= 0 && mayPass(held)) {
                out.write(passing.pass(buffer, read));
                read = in.read(buffer);
            }
        } catch (IOException brokenEitherWay) {
            // An error on one side closes both sides.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(from);
            end(to);
        }
    }

    /** Waits while the relay is silent or delays data. Returns false if it was cut meanwhile. */
    private boolean mayPass(State held) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = delay.toNanos();
            while (state != State.CUT) {
                if (state == State.SILENT || state == held) {
                    changed.await();
                } else if (left > 0) {
                    left = changed.awaitNanos(left);
                } else {
                    return true;
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void end(Socket socket) {
        lock.lock();
        try {
            sockets.remove(socket);
        } finally {
            lock.unlock();
        }
        reset(socket);
    }

    private static void reset(Socket socket) {
        // Both directions of a connection, and a cut, can close it concurrently.
        synchronized (socket) {
            try {
                // Reset: the peer learns of the close immediately, even with unread bytes.
                if (!socket.isClosed()) {
                    socket.setSoLinger(true, 0);
                }
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void closeAll() {
        Set<Socket> open;
        lock.lock();
        try {
            open = Set.copyOf(sockets);
            sockets.clear();
        } finally {
            lock.unlock();
        }
        open.forEach(Relay::reset);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}

package io.heddle.transport.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Forwards connections to an address. Can reset each after a random number of bytes, cut all and refuse new ones, or swallow all bytes
 * silently. Thread-safe.
 */
final class BreakingProxy implements AutoCloseable {
    private static final int MAXIMUM_BYTES = 60_000;

    private final ServerSocket server;
    private volatile InetSocketAddress target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable RandomGenerator breaking;
    private volatile boolean isCut;
    private volatile boolean isSilent;

    BreakingProxy(int port) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.target = loopback(port);
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Forwards later connections to another port. */
    void forwardTo(int port) {
        target = loopback(port);
    }

    /** Resets each later connection after a random number of bytes in either direction. */
    void breakRandomly(RandomGenerator random) {
        breaking = random;
    }

    /** Resets all connections, and each later one at once. */
    void cut() {
        isCut = true;
        open.forEach(BreakingProxy::reset);
    }

    /** Swallows all bytes from now on, of present and later connections. */
    void silence() {
        isSilent = true;
    }

    /** Breaks and cuts no further connection; those that are to break still do. Silent connections stay so. */
    void heal() {
        breaking = null;
        isSilent = false;
        isCut = false;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket from = server.accept();
                if (isCut) {
                    reset(from);
                } else {
                    forward(from);
                }
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void forward(Socket from) {
        InetSocketAddress address = target;
        Socket to;
        try {
            to = new Socket(address.getAddress(), address.getPort());
        } catch (IOException refused) {
            reset(from);
            return;
        }
        open.add(from);
        open.add(to);
        Thread.ofVirtual().start(() -> forward(from, to, limit(MAXIMUM_BYTES)));
        Thread.ofVirtual().start(() -> forward(to, from, limit(MAXIMUM_BYTES / 5)));
        if (isCut) {
            reset(from);
        }
    }

    private int limit(int maximum) {
        RandomGenerator random = breaking;
        return random == null ? Integer.MAX_VALUE : random.nextInt(1, maximum);
    }

    private void forward(Socket from, Socket to, int limit) {
        byte[] buffer = new byte[4_096];
        int left = limit;
        boolean swallows = false;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            while (left > 0) {
                int read = in.read(buffer, 0, Math.min(buffer.length, left));
                if (read < 0) {
                    return;
                }
                // A silent connection stays silent: it has lost bytes.
                swallows |= isSilent;
                if (!swallows) {
                    out.write(buffer, 0, read);
                }
                left -= read;
            }
            from.setSoLinger(true, 0);
            to.setSoLinger(true, 0);
        } catch (IOException broken) {
            // The other direction has broken it.
            return;
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException broken) {
            // It was closed before.
            return;
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            cut();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.heddle.api.server;

import io.heddle.core.LogRateLimit;
import io.heddle.core.RemoteNetwork;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tomcat's connections with a limit for each network, an IPv4 address or an IPv6 /64. Closes further ones as soon as they are accepted,
 * so that one client cannot take the connections of all others. If all connections are open, the oldest one without a request is closed for
 * the next one. The acceptor's thread counts connections, and any thread that closes one.
 */
final class BoundedEndpoint extends NioEndpoint {
    private static final Logger log = LoggerFactory.getLogger(BoundedEndpoint.class);

    private final ConcurrentMap<String, Integer> open = new ConcurrentHashMap<>();
    private final LogRateLimit shareLines = new LogRateLimit(1, Duration.ofMinutes(1), System::nanoTime);
    private final LogRateLimit placeLines = new LogRateLimit(1, Duration.ofMinutes(1), System::nanoTime);
    private final LogRateLimit handshakeLines = new LogRateLimit(1, Duration.ofMinutes(1), System::nanoTime);
    private volatile int limit = Integer.MAX_VALUE;
    private volatile Runnable onRefusal = () -> {};

    /**
     * @param connections of one network
     * @param refused is run for each connection that is closed because of this limit, or for another one
     */
    void limitNetworks(int connections, Runnable refused) {
        limit = connections;
        onRefusal = refused;
    }

    @Override
    protected NioChannel createChannel(SocketBufferHandler buffers) {
        return isSSLEnabled() ? new LoggedHandshake(buffers, this, handshakeLines) : super.createChannel(buffers);
    }

    @Override
    public void setHandler(Handler<NioChannel> handler) {
        super.setHandler(new Counted(handler));
    }

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
        InetAddress address = socket.socket().getInetAddress();
        String network = RemoteNetwork.of(address);
        if (open.merge(network, 1, Integer::sum) > limit) {
            onClosed(network);
            onRefusal.run();
            log(
                    shareLines,
                    "its address has too many: close some in the client, or raise heddle.http.maximum-connections-per-address",
                    limit,
                    address.getHostAddress());
            destroySocket(socket);
            return false;
        }
        boolean isServed = super.setSocketOptions(socket);
        if (!isServed && !connections.containsKey(socket)) {
            // Tomcat has closed it, and will not close it again.
            onClosed(network);
        }
        makeRoom(socket);
        return isServed;
    }

    /**
     * If all connections are open, closes the one whose last response, or else whose opening, is the longest ago. One whose request is being
     * served is not closed, nor the latest one. Tomcat accepts the next connection when there is room; until then that waits in the
     * backlog of the system.
     */
    void makeRoom(@Nullable SocketChannel latest) {
        if (connections.size() < getMaxConnections()) {
            return;
        }
        NioSocketWrapper oldest = null;
        for (SocketWrapperBase<NioChannel> each : connections.values()) {
            if (each instanceof NioSocketWrapper socket
                    && !Objects.equals(socket.getSocket().getIOChannel(), latest)
                    && (oldest == null || socket.getLastWrite() < oldest.getLastWrite())
                    && isIdle(socket)) {
                oldest = socket;
            }
        }
        if (oldest != null) {
            onRefusal.run();
            log(
                    placeLines,
                    "it has no request and others need its place: keep strangers away from the port, or raise"
                            + " heddle.http.maximum-connections",
                    getMaxConnections(),
                    oldest.getRemoteAddr());
            close(oldest);
        }
    }

    /** A worker closes it, like after any error. */
    void close(SocketWrapperBase<NioChannel> socket) {
        processSocket(socket, SocketEvent.ERROR, true);
    }

    /** A worker that reads from it, or serves its request, holds the lock. */
    private static boolean isIdle(NioSocketWrapper socket) {
        if (!socket.getLock().tryLock()) {
            return false;
        }
        socket.getLock().unlock();
        return true;
    }

    private void onClosed(String network) {
        open.computeIfPresent(network, (_, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }

    private void log(LogRateLimit lines, String cause, int maximum, @Nullable String address) {
        long suppressed = lines.acquire();
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info(
                    "HTTP connection closed because {}; port={}, limit={}, suppressed={}, address={}",
                    cause,
                    getLocalPort(),
                    maximum,
                    suppressed,
                    address);
        }
    }

    /** Tells the end of each connection, which Tomcat tells its handler once. */
    private final class Counted implements Handler<NioChannel> {
        private final Handler<NioChannel> handler;

        Counted(Handler<NioChannel> handler) {
            this.handler = handler;
        }

        @Override
        public SocketState process(SocketWrapperBase<NioChannel> socket, SocketEvent event) {
            return handler.process(socket, event);
        }

        @Override
        public Object getGlobal() {
            return handler.getGlobal();
        }

        @Override
        public void release(SocketWrapperBase<NioChannel> socket) {
            onClosed(RemoteNetwork.of(socket.getSocket().getIOChannel().socket().getInetAddress()));
            handler.release(socket);
        }

        @Override
        public void pause() {
            handler.pause();
        }

        @Override
        public void recycle() {
            handler.recycle();
        }
    }
}

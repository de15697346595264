package io.heddle.api.server;

import io.heddle.core.LogRateLimit;
import io.heddle.core.RemoteNetwork;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tomcat's connections with a limit for each network, an IPv4 address or an IPv6 /64. Closes further ones as soon as they are accepted,
 * so that one client cannot take the connections of all others. The acceptor's thread counts them, and any thread that closes one.
 */
final class BoundedEndpoint extends NioEndpoint {
    private static final Logger log = LoggerFactory.getLogger(BoundedEndpoint.class);

    private final ConcurrentMap<String, Integer> open = new ConcurrentHashMap<>();
    private final LogRateLimit logLimit = new LogRateLimit(1, Duration.ofMinutes(1), System::nanoTime);
    private volatile int limit = Integer.MAX_VALUE;
    private volatile Runnable onRefusal = () -> {};

    /**
     * Sets the limit.
     *
     * @param connections of one network
     * @param refused is run for each connection that is closed because of the limit
     */
    void limitNetworks(int connections, Runnable refused) {
        limit = connections;
        onRefusal = refused;
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
            log(address);
            destroySocket(socket);
            return false;
        }
        boolean isServed = super.setSocketOptions(socket);
        if (!isServed && !connections.containsKey(socket)) {
            // Tomcat has closed it, and will not close it again.
            onClosed(network);
        }
        return isServed;
    }

    private void onClosed(String network) {
        open.computeIfPresent(network, (_, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }

    private void log(InetAddress address) {
        long suppressed = logLimit.acquire();
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info(
                    "HTTP connection closed because its address has too many: close some in the client, or raise"
                            + " heddle.http.maximum-connections-per-address; port={}, limit={}, suppressed={}, address={}",
                    getLocalPort(),
                    limit,
                    suppressed,
                    address.getHostAddress());
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

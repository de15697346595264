package io.heddle.api.server;

import java.time.Clock;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP protocol with limits on the time in which a handshake and the head of a request arrive, and on the memory of heads. Tomcat's own connection
 * timeout restarts with each byte, so a client that sends a byte every few seconds would hold its connection for hours. Tomcat creates this
 * class, so it is public and has a constructor without parameters. Checks all connections every second on Tomcat's utility thread.
 *
 * <p>Tomcat allocates the buffer of a head at its full size when a request begins, before anybody has signed in. A client id or topic of
 * 65,535 bytes is thrice as long percent-encoded, so a head may have {@value #LARGE_HEAD} bytes, and {@value #SMALL_HEAD} while more than
 * {@value #LARGE_HEADS} connections are open. With 2,048 connections, unfinished requests take at most 46 MiB: 64 heads of 208 KiB, 1,984 of
 * 8 KiB, and 8 KiB of each for reading. Without that rule they would take 432 MiB, more than the heap of a small node can spare.
 */
public final class BoundedHttpProtocol extends Http11NioProtocol {
    private static final long CHECK_MILLIS = 1_000;
    private static final int LARGE_HEAD = 208 * 1_024;
    private static final int SMALL_HEAD = 8 * 1_024;
    private static final int LARGE_HEADS = 64;
    /** The longest record of TLS, for which Tomcat's first buffer suffices. It would log each larger one. */
    private static final int CLIENT_HELLO = 16 * 1_024;

    /** Tomcat notes the times of connections by it. */
    private final Clock clock = Clock.systemUTC();

    private int largeHeads = LARGE_HEADS;
    private @Nullable ScheduledFuture<?> check;

    public BoundedHttpProtocol() {
        super(new BoundedEndpoint());
        setSniParseLimit(CLIENT_HELLO);
    }

    /**
     * Limits the open connections of each network.
     *
     * @param refused is run for each connection that is closed because of this limit, or for another one
     */
    void limitNetworks(int connections, Runnable refused) {
        endpoint().limitNetworks(connections, refused);
    }

    /** Lets all heads be small ones. */
    void refuseLargeHeads() {
        largeHeads = 0;
    }

    /** A processor keeps its buffer. A small one must not serve requests after a peak, nor a large one wait for them. */
    @Override
    public int getProcessorCache() {
        return 0;
    }

    /** Returns the size of the buffer of the next request. */
    @Override
    public int getMaxHttpRequestHeaderSize() {
        return getConnectionCount() <= largeHeads ? LARGE_HEAD : SMALL_HEAD;
    }

    @Override
    public void start() throws Exception {
        super.start();
        check = getUtilityExecutor()
                .scheduleWithFixedDelay(this::closeUnfinished, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() throws Exception {
        ScheduledFuture<?> scheduled = check;
        if (scheduled != null) {
            scheduled.cancel(false);
        }
        super.stop();
    }

    private void closeUnfinished() {
        long now = System.nanoTime();
        long limitNanos = TimeUnit.MILLISECONDS.toNanos(getConnectionTimeout());
        for (SocketWrapperBase<NioChannel> socket : getEndpoint().getConnections()) {
            if (isUnfinished(socket, now, limitNanos)) {
                endpoint().close(socket);
            }
        }
        // The acceptor may wait for a connection that was busy when it looked for an idle one.
        endpoint().makeRoom(null);
    }

    private BoundedEndpoint endpoint() {
        return (BoundedEndpoint) getEndpoint();
    }

    private boolean isUnfinished(SocketWrapperBase<NioChannel> socket, long now, long limitNanos) {
        if (!socket.getLock().tryLock()) {
            // A worker reads from it, or serves its request.
            return false;
        }
        try {
            long start = requestStart(socket);
            return start == -1 ? isSSLEnabled() && isSilent(socket, limitNanos) : now - start > limitNanos;
        } finally {
            socket.getLock().unlock();
        }
    }

    /** Returns -1 if no request has begun. A connection has its processor only between reads of a request's head. */
    private static long requestStart(SocketWrapperBase<NioChannel> socket) {
        Request request = socket.getCurrentProcessor() instanceof Processor processor ? processor.getRequest() : null;
        return request == null ? -1 : request.getStartTimeNanos();
    }

    /**
     * Returns whether the limit has passed since the last response, or since the opening of the connection. With TLS, each byte of an unfinished
     * record restarts Tomcat's timeout, although no request has begun.
     */
    private boolean isSilent(SocketWrapperBase<NioChannel> socket, long limitNanos) {
        return socket instanceof NioSocketWrapper wrapper
                && clock.millis() - wrapper.getLastWrite() > TimeUnit.NANOSECONDS.toMillis(limitNanos);
    }
}

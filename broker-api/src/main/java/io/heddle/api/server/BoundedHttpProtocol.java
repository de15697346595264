package io.heddle.api.server;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP protocol with a limit for the time in which the head of a request arrives. Tomcat's own connection timeout begins anew with
 * each byte, so that a client that sends one every few seconds would hold its connection for hours. Made by Tomcat, hence public with a
 * constructor without parameters; looks through the connections every second on Tomcat's utility thread.
 */
public final class BoundedHttpProtocol extends Http11NioProtocol {
    private static final long LOOK_MILLIS = 1_000;

    private @Nullable ScheduledFuture<?> looking;

    @Override
    public void start() throws Exception {
        super.start();
        looking = getUtilityExecutor()
                .scheduleWithFixedDelay(this::closeUnfinished, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() throws Exception {
        ScheduledFuture<?> started = looking;
        if (started != null) {
            started.cancel(false);
        }
        super.stop();
    }

    private void closeUnfinished() {
        long now = System.nanoTime();
        long limitNanos = TimeUnit.MILLISECONDS.toNanos(getConnectionTimeout());
        for (SocketWrapperBase<NioChannel> socket : getEndpoint().getConnections()) {
            if (isUnfinished(socket, now, limitNanos)) {
                // On a worker, like any event of the socket; the processor closes it because it expects no error.
                getEndpoint().processSocket(socket, SocketEvent.ERROR, true);
            }
        }
    }

    /** Between two reads of a request's head a connection has its processor; while the request is served a worker has it. */
    private static boolean isUnfinished(SocketWrapperBase<NioChannel> socket, long now, long limitNanos) {
        if (!(socket.getCurrentProcessor() instanceof Processor processor)) {
            return false;
        }
        Request request = processor.getRequest();
        long start = request == null ? -1 : request.getStartTimeNanos();
        return start != -1 && now - start > limitNanos;
    }
}

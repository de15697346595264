package io.heddle.transport.listener;

import io.heddle.transport.connection.TransportMetrics;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles failures to accept connections, for example because the process has no file descriptor left. Counts them, logs at most
 * one line a minute, and pauses accepting briefly because the next attempt would fail as well. Shared by the listening channels;
 * thread-safe.
 */
@Sharable
final class AcceptFaults extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptFaults.class);
    private static final long ACCEPT_PAUSE_MILLIS = 200;
    private static final long LOG_PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final TransportMetrics metrics;
    private final LongSupplier nanoTime;
    private final AtomicLong next;

    AcceptFaults(TransportMetrics metrics, LongSupplier nanoTime) {
        this.metrics = metrics;
        this.nanoTime = nanoTime;
        this.next = new AtomicLong(nanoTime.getAsLong());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable fault) {
        metrics.descriptorMissing();
        pause(context.channel());
        long due = next.get();
        long now = nanoTime.getAsLong();
        if (now - due >= 0 && next.compareAndSet(due, now + LOG_PAUSE_NANOS)) {
            LOG.warn(
                    "Cannot accept connections; retrying. Lower heddle.mqtt.maximum-connections or raise the limit of open files"
                            + " (ulimit -n): {}",
                    fault.getMessage());
        }
    }

    private static void pause(Channel listening) {
        if (listening.config().isAutoRead()) {
            listening.config().setAutoRead(false);
            var _ = listening
                    .eventLoop()
                    .schedule(() -> listening.config().setAutoRead(true), ACCEPT_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}

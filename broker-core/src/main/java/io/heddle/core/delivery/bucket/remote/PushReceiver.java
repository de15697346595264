package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.FailureLog;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.bucket.AppliedReport;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.QueuePushes;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.link.FrameReceiver;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.message.frame.MalformedFrameException;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the pushes of other nodes on to the feeds of this node, as if they came from this node's own writer of the queues. A push to a
 * connection that this node does not have is dropped: a connection reads its queue once it has begun. Records how far the holders of buckets
 * have applied them. Thread-safe.
 */
public final class PushReceiver implements FrameReceiver {
    private static final Logger log = LoggerFactory.getLogger(PushReceiver.class);

    private final ConnectedQueues connected;
    private final PushRouting routing;
    private final BucketPositions positions;
    private final SteadyClock clock;
    private final PushMetrics counters;

    /** Receives for the connections of this node. */
    public PushReceiver(
            ConnectedQueues connected,
            PushRouting routing,
            BucketPositions positions,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.connected = connected;
        this.routing = routing;
        this.positions = positions;
        this.clock = clock;
        this.counters = new PushMetrics(metrics);
    }

    /** Takes the frames of all links, before the node joins the cluster. */
    public void listen() {
        routing.links().receive(PushFrame.FIRST_KIND, PushFrame.LAST_KIND, this);
    }

    @Override
    public void onFrame(Incarnation from, int lane, int kind, byte[] payload) {
        try {
            switch (kind) {
                case PushFrame.PUSHES -> push(payload);
                case PushFrame.RESET -> {
                    PushFrame.Reset reset = PushFrame.readReset(payload);
                    connected.endFeeds(reset.bucket(), reset.viewId(), reset.completeFrom());
                }
                case PushFrame.POSITIONED ->
                    PushFrame.readPositioned(payload)
                            .forEach((bucket, positioned) ->
                                    connected.onPositioned(bucket, positioned.viewId(), positioned.isFirst()));
                case AppliedFrame.KIND ->
                    AppliedFrame.decode(payload).forEach((bucket, report) -> onApplied(from, bucket, report));
                default -> dropFrame(from, "its kind is unknown", null);
            }
        } catch (MalformedFrameException e) {
            dropFrame(from, "it cannot be read", e);
        }
    }

    private void dropFrame(Incarnation from, String reason, @Nullable Throwable failure) {
        counters.malformed.increment();
        FailureLog.warn(
                log,
                "Dropping a frame of pushes because " + reason + "; check that all nodes run the same version: node="
                        + from,
                failure);
    }

    private void onApplied(Incarnation from, int bucket, AppliedReport report) {
        if (bucket < positions.count() && routing.peers().isHolder(from, bucket)) {
            positions.onReport(bucket, from, report);
        }
    }

    private void push(byte[] payload) {
        QueuePushes pushes = new QueuePushes();
        try {
            PushFrame.readPushes(payload, clock.millis(), new Receipt(pushes));
        } finally {
            pushes.send();
        }
    }

    private final class Receipt implements PushFrame.Pushes {
        private final QueuePushes pushes;

        Receipt(QueuePushes pushes) {
            this.pushes = pushes;
        }

        @Override
        public void onMessage(long epoch, long sequence, Enqueue command, QueueRecipient recipient) {
            QueueSessions.Reader reader = reader(recipient.clientId(), recipient.generation(), epoch);
            if (reader != null) {
                counters.received.increment();
                pushes.addMessage(reader, sequence, command, recipient);
            }
        }

        @Override
        public void onFilledUpTo(ClientId clientId, long generation, long epoch, long sequence) {
            QueueSessions.Reader reader = reader(clientId, generation, epoch);
            if (reader != null) {
                pushes.addFilledUpTo(reader, sequence);
            }
        }

        private QueueSessions.@Nullable Reader reader(ClientId clientId, long generation, long epoch) {
            QueueSessions.Reader reader = connected.reader(clientId, generation);
            if (reader == null || reader.epoch() != epoch) {
                counters.unknownConnection.increment();
                return null;
            }
            return reader;
        }
    }
}

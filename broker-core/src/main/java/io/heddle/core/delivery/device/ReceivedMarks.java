package io.heddle.core.delivery.device;

import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LeaseGate;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.mqtt.ReasonCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes which QoS 2 messages one client has received, before they are released with PUBREL. A released message is never sent again, although
 * its mark is a plain append that any node can write: PUBREL waits until this node knows that it was a member when the mark was durable. A
 * node that takes the session over from a dead one reads the log to its end after that.
 *
 * <p>Belongs to the event loop of the connection. Bound: the marks of the messages in flight.
 */
final class ReceivedMarks {
    private final FeedSources shared;
    private final QueueOwner owner;
    private final EventLoop eventLoop;
    private final OutboundQueue.Listener listener;
    // Null until the lease was not valid for the first time.
    private @Nullable LeaseGate gate;
    private boolean ended;

    ReceivedMarks(FeedSources shared, QueueOwner owner, EventLoop eventLoop, OutboundQueue.Listener listener) {
        this.shared = shared;
        this.owner = owner;
        this.eventLoop = eventLoop;
        this.listener = listener;
    }

    /** @param remembered runs on the event loop when the message may be released; never after {@link #end} */
    void write(long sequence, Runnable remembered) {
        BucketCommand mark = new BucketCommand.OutboundReceived(owner.clientId(), owner.generation(), sequence);
        shared.log()
                .append(
                        List.of(new LogAppend.ToBucket(owner.bucket(), mark)),
                        new ReceivedAppend(
                                owner, isAppended -> eventLoop.execute(() -> onOutcome(isAppended, remembered))));
    }

    private void onOutcome(boolean isAppended, Runnable remembered) {
        if (ended) {
            return;
        }
        if (!isAppended) {
            listener.onQueueLost(ReasonCode.SERVER_BUSY, "its PUBREC could not be stored");
        } else if (gate == null && shared.lease().isValid()) {
            remembered.run();
        } else {
            if (gate == null) {
                gate = new LeaseGate(shared.lease(), eventLoop);
            }
            gate.pass(remembered);
        }
    }

    void end() {
        ended = true;
        if (gate != null) {
            gate.end();
        }
    }
}

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
 * Appends the PUBRECs of one client to the log of its bucket before PUBREL releases the messages. A released message must not be sent again.
 * The node that takes the session over from a dead one reads the log to its end after the death, but Kafka accepts appends of a dead node at any
 * time. So PUBREL waits until the PUBREC is durable, and then until this node knows that it is still a member.
 *
 * <p>Belongs to the event loop of the connection. Bound: the messages in flight.
 */
final class ReceivedMarks {
    private final FeedSources shared;
    private final QueueOwner owner;
    private final EventLoop eventLoop;
    private final OutboundQueue.Listener listener;
    // Null while each PUBREC has found a valid lease.
    private @Nullable LeaseGate gate;
    private boolean ended;

    ReceivedMarks(FeedSources shared, QueueOwner owner, EventLoop eventLoop, OutboundQueue.Listener listener) {
        this.shared = shared;
        this.owner = owner;
        this.eventLoop = eventLoop;
        this.listener = listener;
    }

    /** @param remembered runs on the event loop when PUBREL may be sent; never after {@link #end} */
    void write(long sequence, Runnable remembered) {
        BucketCommand marker = new BucketCommand.OutboundReceived(owner.clientId(), owner.generation(), sequence);
        shared.log()
                .append(
                        List.of(new LogAppend.ToBucket(owner.bucket(), marker)),
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

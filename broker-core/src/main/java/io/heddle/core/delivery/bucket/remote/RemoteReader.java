package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.bucket.RemoteTarget;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.SessionKey;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;

/**
 * A connection of another node that reads the queue of its session, as the record of the session names it. Belongs to the thread that
 * applies the bucket logs.
 */
public final class RemoteReader implements RemoteTarget {
    private final PushSender sender;
    private final Incarnation node;
    private final int bucket;
    private final SessionKey session;
    private final long epoch;
    private long pushedUpTo = PushedUpTo.NOTHING;
    // Written by a thread of the store.
    private volatile long head;

    /** @param epoch of the connection */
    public RemoteReader(PushSender sender, Incarnation node, int bucket, SessionKey session, long epoch) {
        this.sender = sender;
        this.node = node;
        this.bucket = bucket;
        this.session = session;
        this.epoch = epoch;
    }

    @Override
    public Incarnation node() {
        return node;
    }

    int bucket() {
        return bucket;
    }

    SessionKey session() {
        return session;
    }

    ClientId clientId() {
        return session.clientId();
    }

    long generation() {
        return session.generation();
    }

    @Override
    public long epoch() {
        return epoch;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The client's node reports to the queue only. So the queue is asked for its head; until it answers, the last known one is returned.
     */
    @Override
    public long reportedBelow() {
        sender.heads().request(this);
        return head;
    }

    void head(long lowest) {
        head = lowest;
    }

    @Override
    public long pushedUpTo() {
        return pushedUpTo;
    }

    @Override
    public void pushing(long sequence) {
        pushedUpTo = Math.max(pushedUpTo, sequence);
    }

    @Override
    public void push(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
        sender.push(this, sequence, command, recipient);
    }

    @Override
    public void pushFilledUpTo(long sequence) {
        sender.pushFilledUpTo(this, sequence);
    }
}

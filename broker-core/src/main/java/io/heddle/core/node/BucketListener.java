package io.heddle.core.node;

import io.heddle.core.session.persistent.Epochs;

/** Learns which buckets this node takes and releases while it runs. The calls for a bucket come from one thread; none blocks. */
public interface BucketListener {
    /**
     * Earlier holders of a bucket have committed its records below this offset, which this node has applied. Before this node commits any.
     *
     * @param next the offset behind the last record
     */
    void onRead(int bucket, long next);

    /**
     * The registrar of this node decides about the clients of a bucket from now on.
     *
     * @param took the offset of the record with which this node has taken the bucket
     * @param epochs of this node; those that it chooses from now on are above all that earlier holders have granted
     */
    void onHeld(int bucket, long took, Epochs epochs);

    /** The registrar of this node is about to end its decisions about the clients of a bucket. */
    void onReleasing(int bucket);
}

package io.heddle.transport.codec;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;

/**
 * The memory that one connection holds in undecoded bytes, as part of {@link UnfinishedPackets}. A stranger is a client that is not accepted
 * yet. Owned by the event loop of the connection.
 */
final class UnfinishedCharge {
    private final UnfinishedPackets unfinished;
    private long bytes;
    private boolean ofStranger;

    UnfinishedCharge(UnfinishedPackets unfinished) {
        this.unfinished = unfinished;
    }

    long bytes() {
        return bytes;
    }

    /** @throws ProtocolException if there is no memory */
    void raise(long wanted, boolean isStranger, String refusal) {
        if (isStranger != ofStranger) {
            release();
            ofStranger = isStranger;
        }
        if (!unfinished.tryCharge(wanted - bytes, isStranger)) {
            throw new ProtocolException(ReasonCode.QUOTA_EXCEEDED, refusal, unfinished.limit(isStranger));
        }
        bytes = wanted;
    }

    void release() {
        if (bytes > 0) {
            unfinished.release(bytes, ofStranger);
            bytes = 0;
        }
    }
}

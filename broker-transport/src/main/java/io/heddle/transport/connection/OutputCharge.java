package io.heddle.transport.connection;

import io.heddle.core.HotPath;

/**
 * The share of one connection in the node's {@link UnsentOutput}, charged in large steps while its client does not read. Owned by
 * the connection's event loop.
 */
@HotPath
final class OutputCharge {
    private static final int STEP_BYTES = 64 * 1024;

    private final UnsentOutput node;
    private long chargedBytes;

    OutputCharge(UnsentOutput node) {
        this.node = node;
    }

    /** Charges as much as is missing for the unsent output; returns false if the share of the connection is used up. */
    boolean covers(long unsentBytes) {
        while (chargedBytes < unsentBytes) {
            if (!node.tryCharge(STEP_BYTES, chargedBytes)) {
                return false;
            }
            chargedBytes += STEP_BYTES;
        }
        return true;
    }

    /** Returns whether the connection would use more than half of its share with the next step. */
    boolean isScarce() {
        return node.isScarceFor(chargedBytes + STEP_BYTES);
    }

    void release() {
        if (chargedBytes > 0) {
            node.release(chargedBytes);
            chargedBytes = 0;
        }
    }
}

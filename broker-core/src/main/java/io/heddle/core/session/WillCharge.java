package io.heddle.core.session;

import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.quota.MemoryBudget;

/**
 * The memory charge of a client's will from its CONNECT until its connection is lost. The will of a persistent session is charged as
 * persistent, because it may have to wait for its delay. Any thread.
 */
final class WillCharge {
    private WillCharge() {}

    /** Returns false when there is no room. */
    static boolean tryCharge(WillMessage will, boolean persistent, MemoryBudget memory) {
        return persistent ? memory.tryChargePersistent(will.heldBytes(), 0) : memory.tryCharge(will.heldBytes(), 0);
    }

    static void release(WillMessage will, boolean persistent, MemoryBudget memory) {
        if (persistent) {
            memory.releasePersistent(will.heldBytes());
        } else {
            memory.release(will.heldBytes());
        }
    }
}

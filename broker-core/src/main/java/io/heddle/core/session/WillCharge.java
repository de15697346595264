package io.heddle.core.session;

import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.quota.MemoryBudget;

/**
 * The memory charge of a client's will from its CONNECT until its connection is lost. The will of a persistent session is charged as
 * lasting, because it may have to wait for its delay. Any thread.
 */
final class WillCharge {
    private WillCharge() {}

    /** Returns false when there is no room. */
    static boolean tryTake(WillMessage will, boolean sessionLasts, MemoryBudget memory) {
        return sessionLasts ? memory.tryTakeLasting(will.heldBytes(), 0) : memory.tryTake(will.heldBytes(), 0);
    }

    static void giveBack(WillMessage will, boolean sessionLasts, MemoryBudget memory) {
        if (sessionLasts) {
            memory.giveBackLasting(will.heldBytes());
        } else {
            memory.giveBack(will.heldBytes());
        }
    }
}

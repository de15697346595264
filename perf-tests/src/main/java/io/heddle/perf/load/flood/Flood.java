package io.heddle.perf.load.flood;

import java.util.Map;

/**
 * One kind of attack. The constructor prepares the attack: it connects the attackers and stores retained messages. Owner: the attack's
 * thread.
 */
public sealed interface Flood
        permits AbsentQueues,
                DyingClients,
                FastReaders,
                NeverAcknowledge,
                RetainedReplay,
                SmallPackets,
                StalledReaders,
                SubscribeFlood,
                WrongPasswords {
    /** Attacks as long as sockets are writable. Returns whether the attack can continue immediately. */
    boolean turn(long nowNanos);

    /** Waits for outstanding messages, before the attackers' connections are closed. */
    default void end() {}

    /** Adds the counts of this kind of attack. */
    default void addTo(Map<String, Long> totals) {}

    /** Removes the sessions and messages that the attack has left at the broker. */
    default void cleanUp(AttackContext context) {}
}

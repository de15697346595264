package io.heddle.perf.load.flood;

import java.util.Map;

/**
 * One kind of attack. Its constructor does what precedes the attack: it connects the attackers and stores what the attack needs.
 * Owner: the attack's thread.
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
    /** Attacks, as far as the sockets take it; true when it could go on at once. */
    boolean turn(long nowNanos);

    /** Counts what is still under way; the attackers' connections are closed afterwards. */
    default void end() {}

    /** Adds counts of this kind. */
    default void addTo(Map<String, Long> totals) {}

    /** Removes sessions and messages that the attack has left at the broker. */
    default void cleanUp(AttackContext context) {}
}

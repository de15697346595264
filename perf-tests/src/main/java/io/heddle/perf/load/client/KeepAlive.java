package io.heddle.perf.load.client;

import java.util.ArrayDeque;

/** Sends PINGREQ in time, in the order in which the connections came up. Owner: the loop. Bounded by the connections. */
final class KeepAlive {
    // They all have the same keep alive, so whoever was pinged last is due last.
    private final ArrayDeque<Connection> byDueTime = new ArrayDeque<>();

    void add(Connection connection) {
        byDueTime.add(connection);
    }

    void turn(long nowNanos) {
        for (Connection first = byDueTime.peek();
                first != null && (!first.isReady() || first.pingDueNanos() - nowNanos <= 0);
                first = byDueTime.peek()) {
            byDueTime.remove();
            if (first.isReady() && first.ping(nowNanos)) {
                byDueTime.add(first);
            }
        }
    }
}

package io.heddle.perf.load.client;

import java.util.ArrayDeque;

/** Sends PINGREQ when due. Owner: the loop. Bounded by the connections. */
final class KeepAlive {
    // All connections have the same keep alive, so this is the order of their due times.
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

package io.heddle.core.operator.explain;

import io.heddle.core.client.RecentRefusals.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * One of several clients that use one client id, so that each closes the connections of the others.
 *
 * @param address of its connections, without port; empty if it is unknown
 * @param userName null if it has none
 * @param closed the number of its connections that were closed because another one connected
 * @param lastMillis the time of the last one, in milliseconds since 1970
 */
public record Contender(String address, @Nullable String userName, long closed, long lastMillis) {
    static Contender of(Refusal takeover) {
        return new Contender(
                takeover.address(),
                takeover.userName(),
                takeover.count(),
                takeover.last().toEpochMilli());
    }
}

package io.heddle.core.session.outbound;

import io.micrometer.core.instrument.Counter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The messages that one connection was not sent: their number and the latest of them. Owned by the event loop of the connection. */
public final class Drops {
    private long count;
    private @Nullable Counter reason;
    private long latestMillis;

    private Drops() {}

    /** Adds a message to a record, which is created for the first one. */
    static Drops after(@Nullable Drops before, Counter reason, long nowMillis) {
        Drops drops = before == null ? new Drops() : before;
        drops.count++;
        drops.reason = reason;
        drops.latestMillis = nowMillis;
        return drops;
    }

    /** Returns a copy with the messages of both records. */
    static Drops sum(@Nullable Drops one, @Nullable Drops other) {
        Drops sum = new Drops();
        sum.add(one);
        sum.add(other);
        return sum;
    }

    private void add(@Nullable Drops other) {
        if (other != null) {
            count += other.count;
            if (other.latestMillis >= latestMillis) {
                latestMillis = other.latestMillis;
                reason = other.reason;
            }
        }
    }

    /** Returns the number of messages. */
    public long count() {
        return count;
    }

    /** Returns the reason of the latest one, as in {@code heddle.messages.dropped}; null if there is none. */
    public @Nullable String reason() {
        Counter latest = reason;
        return latest == null ? null : Objects.requireNonNull(latest.getId().getTag("reason"));
    }

    /** Returns the time of the latest one in milliseconds since 1970, or 0. */
    public long latestMillis() {
        return latestMillis;
    }
}

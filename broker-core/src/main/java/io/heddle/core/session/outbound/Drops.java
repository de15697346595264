package io.heddle.core.session.outbound;

import org.jspecify.annotations.Nullable;

/** The messages that one connection was not sent: their number and the latest of them. Owned by the event loop of the connection. */
public final class Drops {
    private static final long LOGGED_EVERY_MILLIS = 60_000;

    private long count;
    private @Nullable DropReason reason;
    private long latestMillis;
    private @Nullable DropReason logged;
    private long loggedMillis;

    private Drops() {}

    /** Adds a message to a record, which is created for the first one. */
    static Drops after(@Nullable Drops before, DropReason reason, long nowMillis) {
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
        DropReason latest = reason;
        return latest == null ? null : latest.tag();
    }

    /** Returns whether the latest message is to be logged: the first one of its reason, and then one a minute. */
    boolean isNews() {
        if (reason == logged && latestMillis - loggedMillis < LOGGED_EVERY_MILLIS) {
            return false;
        }
        logged = reason;
        loggedMillis = latestMillis;
        return true;
    }

    /** Returns the time of the latest one in milliseconds since 1970, or 0. */
    public long latestMillis() {
        return latestMillis;
    }
}

package io.heddle.persistence.jwt;

import io.heddle.core.client.TokenKey;
import io.heddle.core.session.LocalSessions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the keys up to date, and disconnects the clients of this node whose token was verified with a key that is not there any more, with reason
 * code 0x87. A key with another name is the same key. Used by one thread, which blocks while keys are fetched.
 *
 * <p>A client whose token has been verified may be connected a moment later, so the clients are looked through for a while after keys were removed.
 *
 * <p>Metric: {@code heddle.authentication.jwt.clients.disconnected}.
 */
public final class RemovedKeys {
    private static final Logger log = LoggerFactory.getLogger(RemovedKeys.class);
    /** Longer than a client may take from the keys for its token to CONNACK. */
    private static final long CONNECTING_NANOS = Duration.ofMinutes(2).toNanos();

    private final KeySource keys;
    private final Supplier<@Nullable LocalSessions> sessions;
    private final LongSupplier nanoTime;
    private final Counter disconnected;
    // The keys in use at the latest call.
    private Set<TokenKey> valid = Set.of();
    private boolean isCheckDue;
    private long checkedUntil;

    /**
     * Begins without a check.
     *
     * @param sessions returns the sessions of this node; null before the broker serves and after its stop
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public RemovedKeys(
            KeySource keys, Supplier<@Nullable LocalSessions> sessions, LongSupplier nanoTime, MeterRegistry metrics) {
        this.keys = keys;
        this.sessions = sessions;
        this.nanoTime = nanoTime;
        this.disconnected = Counter.builder("heddle.authentication.jwt.clients.disconnected")
                .description("Clients disconnected because the key of their token was removed")
                .register(metrics);
    }

    /** Gets the keys again if that is due, and disconnects the clients whose keys were removed. To be called every second. */
    public void run() {
        keys.refresh();
        Set<TokenKey> next = keys.valid();
        if (next == null || (!isCheckDue && next.equals(valid))) {
            return;
        }
        long now = nanoTime.getAsLong();
        if (!next.containsAll(valid)) {
            isCheckDue = true;
            checkedUntil = now + CONNECTING_NANOS;
        }
        valid = next;
        LocalSessions connected = sessions.get();
        if (isCheckDue && connected != null) {
            disconnect(connected, next);
            isCheckDue = now - checkedUntil < 0;
        }
    }

    private void disconnect(LocalSessions connected, Set<TokenKey> counting) {
        int clients = connected.disconnect(
                proof -> proof instanceof TokenKey key && !counting.contains(key),
                "the key of its token was removed",
                disconnected::increment);
        if (clients > 0) {
            log.info("Disconnecting clients because the key of their token was removed: clients={}", clients);
        }
    }
}

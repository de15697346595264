package io.heddle.core.session;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.CredentialsChanges;
import io.heddle.core.authentication.CredentialsChanges.Changed;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.KnownCredentials;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.CredentialsVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disconnects clients of this node whose credentials have changed or ended since they signed in, with reason code 0x87. Compares the version
 * with which they signed in to the store, so that a client that has signed in again stays. Used by one thread, which blocks.
 *
 * <p>A client that has passed the check of its password may be connected a moment later, so changed credentials are checked again for a
 * while. Bounds: {@value #MAX_RECENT} credentials are remembered for that; when there are more, all clients are checked instead. The clients
 * of {@value #BATCH} credentials are compared at once.
 *
 * <p>{@link KnownCredentials} and a {@link Listener}, which follows the blocked clients, learn of the changes on the same thread.
 */
public final class CredentialsWatch {
    private static final Logger log = LoggerFactory.getLogger(CredentialsWatch.class);

    private static final Duration WAIT = Duration.ofMillis(500);
    /** Longer than a client may take from the outcome of its sign-in to CONNACK. */
    private static final Duration CONNECTING = Duration.ofSeconds(60);

    /** A restart of PostgreSQL is no news. */
    private static final long REPORTED_AFTER_NANOS = Duration.ofSeconds(10).toNanos();

    private static final int MAX_RECENT = 10_000;
    private static final int BATCH = 1_000;

    private final CredentialsChanges changes;
    private final CredentialsStore store;
    private final Supplier<@Nullable LocalSessions> sessions;
    private final KnownCredentials known;
    private final Listener blocked;
    private final long recheckNanos;
    private final LongSupplier nanoTime;
    private final Counter disconnected;
    // By id, the time until which the clients of changed credentials are checked.
    private final Map<UUID, Long> recent = new HashMap<>();
    private boolean isEveryClientDue;
    // When every client is checked once more.
    private boolean isRecheckDue;
    private long recheckTime;
    private boolean isBlockedDue;
    private boolean isAway;
    private boolean isReported;
    private long awaySince;

    /** Follows the blocked clients. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called after each wait.
         *
         * @param isChanged whether they may have changed
         * @throws StoreUnavailableException if the store does not answer
         */
        void run(boolean isChanged);
    }

    /**
     * Begins with a check of all clients.
     *
     * @param sessions returns the sessions of this node; null before the broker serves and after its stop
     * @param longestSignIn the longest time from the reading of credentials to the outcome of a sign-in
     */
    public CredentialsWatch(
            CredentialsChanges changes,
            CredentialsStore store,
            Supplier<@Nullable LocalSessions> sessions,
            KnownCredentials known,
            Listener blocked,
            Duration longestSignIn,
            LongSupplier nanoTime,
            MeterRegistry metrics) {
        this.changes = changes;
        this.store = store;
        this.sessions = sessions;
        this.known = known;
        this.blocked = blocked;
        this.recheckNanos = longestSignIn.plus(CONNECTING).toNanos();
        this.nanoTime = nanoTime;
        this.disconnected = Counter.builder("heddle.credentials.disconnected")
                .description("Clients disconnected because their credentials changed or were removed")
                .register(metrics);
    }

    /** Waits up to half a second for changes and disconnects the clients that they concern. */
    public void run() {
        try {
            Changed changed = changes.await(WAIT);
            onChanged(changed);
            isBlockedDue |= changed.isGap() || changed.isBlockedChanged();
            known.apply(changed);
            blocked.run(isBlockedDue);
            isBlockedDue = false;
            check();
            isAway = false;
        } catch (StoreUnavailableException unavailable) {
            onUnavailable(unavailable);
        }
    }

    private void onUnavailable(StoreUnavailableException unavailable) {
        long now = nanoTime.getAsLong();
        if (!isAway) {
            isAway = true;
            isReported = false;
            awaySince = now;
            log.debug("Waiting for changes of credentials failed", unavailable);
        } else if (!isReported && now - awaySince >= REPORTED_AFTER_NANOS) {
            isReported = true;
            log.warn(
                    "PostgreSQL does not answer; clients stay connected although their credentials may have changed, and entries of"
                            + " blocked clients stay as they are");
        }
    }

    private void onChanged(Changed changed) {
        long now = nanoTime.getAsLong();
        changed.ids().forEach(id -> recent.put(id, now + recheckNanos));
        if (changed.isGap() || recent.size() > MAX_RECENT) {
            recent.clear();
            isEveryClientDue = true;
            isRecheckDue = true;
            recheckTime = now + recheckNanos;
        }
    }

    private void check() {
        long now = nanoTime.getAsLong();
        if (isRecheckDue && now - recheckTime >= 0) {
            isRecheckDue = false;
            isEveryClientDue = true;
        }
        if (isEveryClientDue) {
            check(_ -> true);
            isEveryClientDue = false;
        }
        if (!recent.isEmpty()) {
            check(recent::containsKey);
            recent.values().removeIf(until -> now - until >= 0);
        }
    }

    private void check(Predicate<UUID> isConcerned) {
        Set<UUID> ids = new HashSet<>();
        List<ClientSession> clients = new ArrayList<>();
        LocalSessions connected = sessions.get();
        if (connected == null) {
            return;
        }
        for (ClientSession session : connected.all()) {
            if (session.identity().proof() instanceof CredentialsVersion version
                    && session.isConnected()
                    && isConcerned.test(version.id())) {
                ids.add(version.id());
                clients.add(session);
                if (ids.size() == BATCH || clients.size() == BATCH) {
                    compare(ids, clients);
                    ids.clear();
                    clients.clear();
                }
            }
        }
        compare(ids, clients);
    }

    private void compare(Set<UUID> ids, List<ClientSession> clients) {
        if (ids.isEmpty()) {
            return;
        }
        Set<CredentialsVersion> valid = new HashSet<>();
        for (StoredCredentials stored : store.get(ids)) {
            valid.add(stored.version());
        }
        int ended = 0;
        for (ClientSession client : clients) {
            if (client.identity().proof() instanceof CredentialsVersion version && !valid.contains(version)) {
                client.eventLoop().execute(() -> client.disconnect(ReasonCode.NOT_AUTHORIZED));
                ended++;
            }
        }
        if (ended > 0) {
            disconnected.increment(ended);
            log.info("Disconnecting clients because their credentials have changed or were removed: clients={}", ended);
        }
    }
}

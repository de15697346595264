package io.heddle.core.authentication;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Spares the store questions: knows the credentials with which clients have signed in lately, and which names credentials have. One thread
 * applies the changes of the store; any thread asks.
 *
 * <p>What is known counts for {@value #CURRENT_SECONDS} s after the store has last reported all its changes; then the store is
 * asked. While it is away, the names go on deciding, because a name that no credentials had before is most likely free: so anonymous clients
 * connect, and clients with passwords do not.
 *
 * <p>Bounds: the number of recent credentials, beyond which arbitrary ones are forgotten; {@value #MAXIMUM_NAMES} names, beyond which the store is
 * asked about each client whose id no credentials name.
 */
public final class KnownCredentials implements CredentialsLookup {
    static final int MAXIMUM_NAMES = 32_000_000;
    static final int CURRENT_SECONDS = 2;

    private static final long CURRENT_NANOS =
            Duration.ofSeconds(CURRENT_SECONDS).toNanos();
    private static final int MINIMUM_NAMES = 10_000;
    private static final int BATCH = 1_000;
    // A client that has proved credentials without a user name may show any.
    private static final int MAXIMUM_USER_NAME = 1_024;

    private final CredentialsStore store;
    private final int maximumRecent;
    private final LongSupplier nanoTime;
    private final Counter recentlyFound;
    private final Counter unmentioned;
    private final Counter asked;

    // Credentials that name a client id, by what the client has shown; the others, by their user name.
    private final Map<Names, StoredCredentials> recentOfClients = new ConcurrentHashMap<>();
    private final Map<String, StoredCredentials> recentOfUsers = new ConcurrentHashMap<>();
    // Counts the changes, so that an answer from before a change is not kept after it.
    private final AtomicLong changes = new AtomicLong();
    // Null while they are unknown.
    private volatile @Nullable NameFilter names;
    // Only of the thread that applies changes.
    private boolean isGap = true;
    // Whether the store reports its changes, and has reported all since it was read.
    private volatile boolean isConfirmed;
    private volatile long confirmedNanos;

    private record Names(ClientId clientId, @Nullable String userName) {}

    /**
     * Knows nothing.
     *
     * @param maximumRecent the maximum number of recent credentials; 0 for none
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public KnownCredentials(CredentialsStore store, int maximumRecent, LongSupplier nanoTime, MeterRegistry metrics) {
        this.store = store;
        this.maximumRecent = maximumRecent;
        this.nanoTime = nanoTime;
        this.recentlyFound = counter("recent", metrics);
        this.unmentioned = counter("unmentioned", metrics);
        this.asked = counter("asked", metrics);
    }

    private static Counter counter(String answer, MeterRegistry metrics) {
        return Counter.builder("heddle.credentials.lookups")
                .description("Lookups of the credentials of clients, by what answered")
                .tag("answer", answer)
                .register(metrics);
    }

    /**
     * Applies changes of the store. Blocks. Called by one thread, with all changes in their order.
     *
     * @throws StoreUnavailableException if the store does not answer; then the next call reads everything again
     */
    public void apply(CredentialsChanges.Changed changed) {
        long now = nanoTime.getAsLong();
        boolean wasGap = isGap || changed.isGap();
        // Until all is applied.
        isGap = true;
        NameFilter known = names;
        if (wasGap || (known != null && known.isFull())) {
            isConfirmed = false;
            changes.incrementAndGet();
            recentOfClients.clear();
            recentOfUsers.clear();
            names = readNames();
        } else if (!changed.ids().isEmpty()) {
            forget(changed.ids(), known);
        }
        isGap = false;
        Duration confirmedAgo = changed.confirmedAgo();
        if (confirmedAgo != null) {
            confirmedNanos = now - confirmedAgo.toNanos();
        }
        isConfirmed = confirmedAgo != null;
    }

    private void forget(Set<UUID> ids, @Nullable NameFilter known) {
        Set<ClientId> clientIds = new HashSet<>();
        List<UUID> all = new ArrayList<>(ids);
        for (int i = 0; i < all.size(); i += BATCH) {
            for (StoredCredentials each : store.get(all.subList(i, Math.min(all.size(), i + BATCH)))) {
                if (known != null) {
                    add(each.clientId(), each.userName(), known);
                }
                if (each.clientId() != null) {
                    clientIds.add(each.clientId());
                }
            }
        }
        changes.incrementAndGet();
        recentOfClients.values().removeIf(each -> ids.contains(each.id()));
        recentOfUsers.values().removeIf(each -> ids.contains(each.id()));
        // Credentials with a user name decide before those of the same client id for any user name.
        recentOfClients.keySet().removeIf(each -> clientIds.contains(each.clientId()));
    }

    private @Nullable NameFilter readNames() {
        long expected = 2 * store.count();
        if (expected > MAXIMUM_NAMES / 2) {
            return null;
        }
        // Each may have two names, and as many are added before they are read again.
        NameFilter read = new NameFilter((int) Math.max(MINIMUM_NAMES, 2 * expected));
        UUID after = null;
        List<CredentialsStore.Names> page;
        do {
            page = store.names(after, BATCH * 10);
            for (CredentialsStore.Names each : page) {
                add(each.clientId(), each.userName(), read);
                after = each.id();
            }
        } while (!page.isEmpty() && !read.isFull());
        return read.isFull() ? null : read;
    }

    private static void add(@Nullable ClientId clientId, @Nullable String userName, NameFilter to) {
        if (clientId != null) {
            to.add(ofClientId(clientId));
        }
        if (userName != null) {
            to.add(ofUserName(userName));
        }
    }

    /** The letters keep client ids and user names apart. */
    private static String ofClientId(ClientId clientId) {
        return "c" + clientId.value();
    }

    private static String ofUserName(String userName) {
        return "u" + userName;
    }

    @Override
    public @Nullable StoredCredentials find(ClientId clientId, @Nullable String userName) {
        asked.increment();
        return store.find(clientId, userName);
    }

    @Override
    public long changeCount() {
        return changes.get();
    }

    @Override
    public void keep(StoredCredentials proved, ClientId clientId, @Nullable String userName, long before) {
        if (maximumRecent == 0 || (userName != null && userName.length() > MAXIMUM_USER_NAME)) {
            return;
        }
        if (proved.clientId() != null) {
            keep(new Names(clientId, userName), proved, before, recentOfClients);
        } else if (userName != null) {
            keep(userName, proved, before, recentOfUsers);
        }
    }

    private <K> void keep(K name, StoredCredentials proved, long before, Map<K, StoredCredentials> recent) {
        recent.put(name, proved);
        if (changes.get() != before) {
            recent.remove(name);
        }
        if (recent.size() > maximumRecent) {
            var arbitrary = recent.keySet().iterator();
            for (int i = 0; i <= maximumRecent / 16 && arbitrary.hasNext(); i++) {
                arbitrary.next();
                arbitrary.remove();
            }
        }
    }

    @Override
    public @Nullable StoredCredentials findRecent(ClientId clientId, @Nullable String userName) {
        if (!isCurrent()) {
            return null;
        }
        StoredCredentials found = recentOfClients.get(new Names(clientId, userName));
        NameFilter known = names;
        if (found == null && userName != null && known != null && !known.mayHave(ofClientId(clientId))) {
            found = recentOfUsers.get(userName);
        }
        if (found != null) {
            recentlyFound.increment();
        }
        return found;
    }

    @Override
    public @Nullable StoredCredentials findForOthers(ClientId clientId, @Nullable String userName) {
        if (!isUnmentioned(clientId, userName)) {
            return find(clientId, userName);
        }
        if (!isCurrent()) {
            try {
                return find(clientId, userName);
            } catch (StoreUnavailableException away) {
                // The names decide.
            }
        }
        unmentioned.increment();
        return null;
    }

    private boolean isUnmentioned(ClientId clientId, @Nullable String userName) {
        NameFilter known = names;
        return known != null
                && isConfirmed
                && !known.mayHave(ofClientId(clientId))
                && (userName == null || !known.mayHave(ofUserName(userName)));
    }

    @Override
    public boolean isEmpty() {
        NameFilter known = names;
        if (known == null || !isConfirmed || !known.isEmpty()) {
            return store.isEmpty();
        }
        if (isCurrent()) {
            return true;
        }
        try {
            return store.isEmpty();
        } catch (StoreUnavailableException away) {
            return true;
        }
    }

    private boolean isCurrent() {
        return isConfirmed && nanoTime.getAsLong() - confirmedNanos < CURRENT_NANOS;
    }

    @Override
    public void renew(StoredCredentials before, String passwordHash) {
        store.renew(before, passwordHash);
    }
}

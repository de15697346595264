package io.heddle.api.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;

/**
 * Reads the accounts of one kind from their store, and remembers those that have signed in at this node within {@value #KNOWN_HOURS} hours, for
 * requests for metrics while the store does not respond. Such requests wait for the store for at most {@value #METRICS_WAIT_MILLIS} ms, and after
 * a failure not at all for {@value #AWAY_SECONDS} s. Thread-safe; blocks. Bound: {@value #MAX_KNOWN} accounts.
 */
final class KnownAccounts<A> {
    private static final int AWAY_SECONDS = 20;
    private static final int METRICS_WAIT_MILLIS = 500;
    private static final int KNOWN_HOURS = 24;
    private static final int MAX_KNOWN = 1_000;

    private final Function<String, @Nullable A> store;
    private final Ticker clock;
    /** Accounts by their names, as they were in the store at their latest sign-in. */
    private final Cache<String, A> known;
    /** Null if the latest answer of the store was one. */
    private volatile @Nullable Failure failed;

    private record Failure(StoreUnavailableException cause, long atNanos) {}

    /** @param store returns the account with a name, or null */
    KnownAccounts(Function<String, @Nullable A> store, Ticker clock) {
        this.store = store;
        this.clock = clock;
        this.known = Caffeine.newBuilder()
                .maximumSize(MAX_KNOWN)
                .expireAfterWrite(Duration.ofHours(KNOWN_HOURS))
                .ticker(clock)
                .executor(Runnable::run)
                .build();
    }

    /** Returns the account as it was at its latest sign-in, or null. */
    @Nullable
    A known(String name) {
        return known.getIfPresent(name);
    }

    void remember(String name, A account) {
        known.put(name, account);
    }

    void forget(String name) {
        known.invalidate(name);
    }

    /**
     * Returns the account as it is in the store, or null.
     *
     * @param isForMetrics whether the request waits only shortly
     * @throws StoreUnavailableException if the store does not respond, or not in time
     */
    @Nullable
    A find(String name, boolean isForMetrics) {
        return isForMetrics ? findSoon(name) : find(name);
    }

    private @Nullable A find(String name) {
        try {
            A found = store.apply(name);
            failed = null;
            return found;
        } catch (StoreUnavailableException failure) {
            failed = new Failure(failure, clock.read());
            throw failure;
        }
    }

    /** The store has its own, longer limit, which the request does not wait for. */
    private @Nullable A findSoon(String name) {
        Failure latest = failed;
        if (latest != null && clock.read() - latest.atNanos() < TimeUnit.SECONDS.toNanos(AWAY_SECONDS)) {
            throw latest.cause();
        }
        FutureTask<@Nullable A> search = new FutureTask<>(() -> find(name));
        Thread.ofVirtual().name("heddle-find-administrator").start(search);
        try {
            return search.get(METRICS_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            StoreUnavailableException late =
                    StoreUnavailableException.postgres("the administrators were not read in time", e);
            failed = new Failure(late, clock.read());
            throw late;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AuthenticationServiceException("the server is stopping", e);
        }
    }
}

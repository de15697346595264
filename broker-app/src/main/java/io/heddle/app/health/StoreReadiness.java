package io.heddle.app.health;

import io.heddle.core.StoreUnavailableException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readiness of one store. One thread checks the store in the background; any thread may read the result. States: usable; failing, which is
 * usable until the failure has lasted for a while; unusable; recovering, which is unusable until two checks in a row succeed.
 */
final class StoreReadiness {
    private static final Logger log = LoggerFactory.getLogger(StoreReadiness.class);
    private static final int SUCCESSES_NEEDED = 2;

    private final String store;
    private final Runnable check;
    private final long downAfterNanos;
    private final LongSupplier nanoTime;
    // Used only by the checking thread.
    private boolean failing;
    private long failingSince;
    private int successes;
    // Read by any thread. Null while the store is usable, and null if the latest check succeeded.
    private volatile @Nullable String reason;
    private volatile @Nullable String failure;

    /**
     * Starts as usable.
     *
     * @param check throws StoreUnavailableException if the store does not respond; may block
     * @param downAfter how long the check must fail before the store is unusable
     */
    StoreReadiness(String store, Runnable check, Duration downAfter, LongSupplier nanoTime) {
        this.store = store;
        this.check = check;
        this.downAfterNanos = downAfter.toNanos();
        this.nanoTime = nanoTime;
    }

    String store() {
        return store;
    }

    /** Returns why the store is unusable, or null while it is usable. Does not query the store. */
    @Nullable
    String unusableReason() {
        return reason;
    }

    /** Returns the failure of the latest check, or null if it succeeded. Does not query the store. */
    @Nullable
    String lastFailure() {
        return failure;
    }

    /** Checks the store. Called by one thread. */
    void check() {
        long checkStart = nanoTime.getAsLong();
        try {
            check.run();
        } catch (StoreUnavailableException e) {
            onFailure(checkStart, String.valueOf(e.getMessage()));
            return;
        }
        onSuccess();
    }

    private void onFailure(long checkStart, String message) {
        successes = 0;
        failure = message;
        if (!failing) {
            failing = true;
            failingSince = checkStart;
        }
        if (reason != null) {
            reason = message;
        } else if (nanoTime.getAsLong() - failingSince >= downAfterNanos) {
            reason = message;
            log.warn("Store does not respond; this node is not ready for clients; store={}, reason={}", store, message);
        }
    }

    private void onSuccess() {
        failing = false;
        failure = null;
        if (reason != null && ++successes >= SUCCESSES_NEEDED) {
            successes = 0;
            reason = null;
            log.info("Store responds again; store={}", store);
        }
    }
}

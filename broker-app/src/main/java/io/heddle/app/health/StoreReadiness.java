package io.heddle.app.health;

import io.heddle.core.StoreUnavailableException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readiness of one store, as the broker itself finds it: checked in the background by one thread, readable by any. States: usable;
 * failing, which is usable until it has lasted for a while; unusable; answering again, which is unusable until it answered twice.
 */
final class StoreReadiness {
    private static final Logger log = LoggerFactory.getLogger(StoreReadiness.class);
    private static final int ANSWERS_NEEDED = 2;

    private final String store;
    private final Runnable check;
    private final long downAfterNanos;
    private final LongSupplier nanoTime;
    // Of the thread that looks.
    private boolean failing;
    private long failingSince;
    private int answers;
    // Readable by any thread: null while the store is usable, and null if the latest check succeeded.
    private volatile @Nullable String reason;
    private volatile @Nullable String failure;

    /**
     * A store that is usable.
     *
     * @param check throws StoreUnavailableException when the store does not answer; may block
     * @param downAfter how long it must fail before the store is unusable
     */
    StoreReadiness(String store, Runnable check, Duration downAfter, LongSupplier nanoTime) {
        this.store = store;
        this.check = check;
        this.downAfterNanos = downAfter.toNanos();
        this.nanoTime = nanoTime;
    }

    /** The store's name, for people. */
    String store() {
        return store;
    }

    /** Why the store is unusable; null while it is usable. Asks nobody. */
    @Nullable
    String whyUnusable() {
        return reason;
    }

    /** The failure of the latest check, or null if the store answered. Does not query the store. */
    @Nullable
    String lastFailure() {
        return failure;
    }

    /** Asks the store. One thread. */
    void look() {
        long asked = nanoTime.getAsLong();
        try {
            check.run();
        } catch (StoreUnavailableException e) {
            failed(asked, String.valueOf(e.getMessage()));
            return;
        }
        answered();
    }

    private void failed(long asked, String why) {
        answers = 0;
        failure = why;
        if (!failing) {
            failing = true;
            failingSince = asked;
        }
        if (reason != null) {
            reason = why;
        } else if (nanoTime.getAsLong() - failingSince >= downAfterNanos) {
            reason = why;
            log.warn("{} does not answer; this node is not ready for clients until it does: {}", store, why);
        }
    }

    private void answered() {
        failing = false;
        failure = null;
        if (reason != null && ++answers >= ANSWERS_NEEDED) {
            answers = 0;
            reason = null;
            log.info("{} answers again", store);
        }
    }
}

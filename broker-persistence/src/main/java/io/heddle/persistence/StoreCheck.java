package io.heddle.persistence;

import io.heddle.core.StoreUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Measures the health checks of one store: {@code heddle.store.check{store,outcome}}, where the outcome is {@code up} or {@code down}.
 * Thread-safe.
 */
public final class StoreCheck {
    private final MeterRegistry registry;
    private final Timer up;
    private final Timer down;

    /** @param store the tag of the metric: {@code kafka}, {@code redis} or {@code postgresql} */
    public StoreCheck(String store, MeterRegistry registry) {
        this.registry = registry;
        this.up = timer(store, "up", registry);
        this.down = timer(store, "down", registry);
    }

    /**
     * Runs one check on the calling thread.
     *
     * @throws StoreUnavailableException if the check throws it
     */
    public void run(Runnable check) {
        Timer.Sample sample = Timer.start(registry);
        try {
            check.run();
        } catch (StoreUnavailableException e) {
            sample.stop(down);
            throw e;
        }
        sample.stop(up);
    }

    private static Timer timer(String store, String outcome, MeterRegistry registry) {
        return Timer.builder("heddle.store.check")
                .description("Health checks of Kafka, Redis and PostgreSQL")
                .tag("store", store)
                .tag("outcome", outcome)
                .register(registry);
    }
}

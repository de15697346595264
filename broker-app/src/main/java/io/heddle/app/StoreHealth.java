package io.heddle.app;

import io.heddle.core.StoreUnavailableException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Whether a store answers. Blocks for as long as the store's time-out. */
final class StoreHealth implements HealthIndicator {
    private final Runnable check;

    /** The health of the store that {@code check} asks; it throws StoreUnavailableException when there is no answer. */
    StoreHealth(Runnable check) {
        this.check = check;
    }

    @Override
    public Health health() {
        try {
            check.run();
            return Health.up().build();
        } catch (StoreUnavailableException e) {
            return Health.down()
                    .withDetail("reason", String.valueOf(e.getMessage()))
                    .build();
        }
    }
}

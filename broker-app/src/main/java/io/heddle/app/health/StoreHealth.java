package io.heddle.app.health;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Health of one store, according to its latest check in the background. Requests for the health need no sign-in, so they must neither query the
 * store nor wait for it.
 */
final class StoreHealth implements HealthIndicator {
    private final StoreReadiness store;

    StoreHealth(StoreReadiness store) {
        this.store = store;
    }

    @Override
    public Health health() {
        String failure = store.lastFailure();
        return failure == null
                ? Health.up().build()
                : Health.down().withDetail("reason", failure).build();
    }
}

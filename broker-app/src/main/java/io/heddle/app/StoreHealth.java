package io.heddle.app;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether a store answered when it was asked last, in the background. Whoever asks for the health needs no sign-in, so the question must
 * neither wait for a store nor reach it.
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

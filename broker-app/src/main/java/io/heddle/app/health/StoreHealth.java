package io.heddle.app.health;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Health of one store, according to its latest check in the background. Requests for the health need no sign-in, so they must neither query the
 * store nor wait for it.
 */
public final class StoreHealth implements HealthIndicator {
    private final Supplier<@Nullable String> failure;

    /** @param failure of the latest check; null or empty if there is none. Called on any thread; must not wait */
    public StoreHealth(Supplier<@Nullable String> failure) {
        this.failure = failure;
    }

    @Override
    public Health health() {
        String reason = failure.get();
        return reason == null || reason.isEmpty()
                ? Health.up().build()
                : Health.down().withDetail("reason", reason).build();
    }
}

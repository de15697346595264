package io.heddle.app.health;

import io.heddle.core.operator.store.TransactionWatch;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Health of the transactions of Kafka, on the node that watches them: down while one hangs that the node could not repair. Then readers of a partition
 * stand still, whichever node they belong to.
 */
public final class TransactionHealth implements HealthIndicator {
    private final TransactionWatch watch;

    public TransactionHealth(TransactionWatch watch) {
        this.watch = watch;
    }

    @Override
    public Health health() {
        String obstacle = watch.obstacle();
        return obstacle.isEmpty()
                ? Health.up().build()
                : Health.down().withDetail("reason", obstacle).build();
    }
}

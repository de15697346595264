package io.heddle.app.health;

import io.heddle.core.lifecycle.Broker;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Health of the broker: up while it serves clients. */
public final class BrokerHealth implements HealthIndicator {
    private final Broker broker;

    public BrokerHealth(Broker broker) {
        this.broker = broker;
    }

    @Override
    public Health health() {
        Broker.State state = broker.state();
        Health.Builder health = state == Broker.State.READY ? Health.up() : Health.outOfService();
        return health.withDetail("state", state.name()).build();
    }
}

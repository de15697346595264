package io.heddle.app.health;

import io.heddle.core.lifecycle.Broker;
import io.heddle.core.lifecycle.ClusterRole;
import io.heddle.core.lifecycle.NodeStatus;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Health of the broker: up while it serves clients. */
public final class BrokerHealth implements HealthIndicator {
    private final Broker broker;
    private final ClusterRole cluster;

    public BrokerHealth(Broker broker, ClusterRole cluster) {
        this.broker = broker;
        this.cluster = cluster;
    }

    @Override
    public Health health() {
        Broker.State state = broker.state();
        ClusterRole.Role role = cluster.role();
        Health.Builder health = new Health.Builder();
        if (NodeStatus.isServing(state, role)) {
            health.up();
        } else {
            health.outOfService();
        }
        return health.withDetail("state", state.name())
                .withDetail("role", role.name())
                .build();
    }
}

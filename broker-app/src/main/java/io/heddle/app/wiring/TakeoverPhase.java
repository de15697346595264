package io.heddle.app.wiring;

import io.heddle.core.lifecycle.BucketTakeover;
import io.heddle.core.lifecycle.ClusterRole;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.message.SteadyClock;
import io.heddle.persistence.kafka.nodes.KafkaProducerFencing;
import java.util.function.Supplier;

/** Waits for the buckets and takes them, if one node serves. Started and stopped by one thread at a time. */
final class TakeoverPhase implements StartupPhase {
    private final Supplier<ClusterStartup.Started> cluster;
    private final Stores stores;
    private final SteadyClock clock;
    private final ClusterRole role;
    private final BucketTakeover.Waiting announcement;

    /** @param cluster this node as a member, from the start of the phase on */
    TakeoverPhase(
            Supplier<ClusterStartup.Started> cluster,
            Stores stores,
            SteadyClock clock,
            ClusterRole role,
            BucketTakeover.Waiting announcement) {
        this.cluster = cluster;
        this.stores = stores;
        this.clock = clock;
        this.role = role;
        this.announcement = announcement;
    }

    @Override
    public String name() {
        return "the takeover of the buckets";
    }

    @Override
    public void start() {
        ClusterStartup.Started joined = cluster.get();
        if (joined.routes() == null) {
            new BucketTakeover(
                            joined.membership(),
                            new KafkaProducerFencing(stores.kafka()),
                            joined.settings(),
                            clock::millis,
                            role,
                            announcement)
                    .start();
        }
    }

    @Override
    public void stop() {
        // What was started ends with the membership.
    }
}

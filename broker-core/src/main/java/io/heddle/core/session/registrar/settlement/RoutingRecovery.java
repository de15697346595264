package io.heddle.core.session.registrar.settlement;

import io.heddle.core.cluster.RoutingLease;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recovery of the routing lease of a node. {@link LinkSettlement} and the interest of the other nodes
 * do not wait for a node that is silent for longer than its routing lease. So that node reads the log of the clients to its ends and asks the
 * others for their interest before its lease is valid again. Thread-safe.
 *
 * <p>Metric: {@code heddle.cluster.lease.recovery}.
 */
public final class RoutingRecovery implements RoutingLease.Recovery {
    private static final Logger log = LoggerFactory.getLogger(RoutingRecovery.class);

    private final Supplier<CompletionStage<Void>> clients;
    private final Supplier<CompletionStage<Void>> interest;
    private final LongSupplier nanoTime;
    private final Timer time;

    /**
     * @param clients reads the log of the clients, of all buckets, to the ends that it has when it is called
     * @param interest learns the subscribers that the other members had announced when it is called
     */
    public RoutingRecovery(
            Supplier<CompletionStage<Void>> clients,
            Supplier<CompletionStage<Void>> interest,
            LongSupplier nanoTime,
            MeterRegistry registry) {
        this.clients = clients;
        this.interest = interest;
        this.nanoTime = nanoTime;
        this.time = Timer.builder("heddle.cluster.lease.recovery")
                .description("Recoveries of the routing lease, until this node knew what was settled without it")
                .register(registry);
    }

    @Override
    public CompletionStage<Void> begin() {
        long beganNanos = nanoTime.getAsLong();
        return clients.get().thenCombine(interest.get(), (_, _) -> {
            long tookNanos = nanoTime.getAsLong() - beganNanos;
            time.record(tookNanos, TimeUnit.NANOSECONDS);
            log.info(
                    "This node knows all subscriptions and acknowledges messages again: millis={}",
                    TimeUnit.NANOSECONDS.toMillis(tookNanos));
            return null;
        });
    }
}

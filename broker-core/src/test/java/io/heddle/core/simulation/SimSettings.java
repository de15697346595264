package io.heddle.core.simulation;

import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.blocked.BlockedClients;
import io.heddle.core.authentication.blocked.Flapping;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.bucket.TruncationLimits;
import io.heddle.core.lifecycle.CoreSettings;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.node.NodeResources;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.outbound.QueueLimits;
import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.sys.SysReaders;
import io.heddle.core.sys.SysTopics;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The limits and settings of all simulated processes: small ones, so that they are reached. */
final class SimSettings {
    private static final long MEMORY_BYTES = 100_000_000;
    private static final QueueLimits QUEUE = new QueueLimits(10_000, 10_000_000, QueueLimits.Overflow.DROP_OLDEST);
    private static final SessionSettings SESSIONS = new SessionSettings(
            65_536,
            8,
            TopicRules.STANDARD,
            20,
            1_000,
            100_000,
            100_000,
            0,
            16,
            8,
            2,
            QUEUE,
            1_000,
            20_000,
            Duration.ofSeconds(2));

    private SimSettings() {}

    /** @param offsetMillis by which the time of day is wrong */
    static SteadyClock clock(World world, long offsetMillis) {
        Instant now = Instant.ofEpochMilli(world.millis() + offsetMillis);
        return new SteadyClock(() -> now, world::nanoTime);
    }

    static BucketPositions positions(int buckets, SteadyClock clock, MeterRegistry metrics) {
        return new BucketPositions(buckets, new LagBounds(Duration.ofMillis(200), 1_000_000), clock, metrics);
    }

    static CoreSettings core(String incarnation, int buckets) {
        return new CoreSettings(
                incarnation,
                buckets,
                SESSIONS,
                1 << 20,
                10_000_000,
                1 << 20,
                Duration.ofMillis(500),
                new TruncationLimits(Duration.ofSeconds(20), Duration.ofSeconds(5)));
    }

    static NodeResources resources(World world, SimProcess process, SteadyClock clock, MeterRegistry metrics) {
        ClientIncidents incidents = new ClientIncidents(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()), metrics);
        LongSupplier freeBytes = () -> StorageRoom.UNKNOWN;
        return new NodeResources(
                new SubscriptionTrie(new SubscriptionLimits(1_000, 1_000, 0, 1_000)),
                new RetainedMessages(new RetainedLimits(1_000, 1_000_000, 100_000, 0), clock, metrics),
                new MemoryBudget(MEMORY_BYTES, metrics),
                new StorageRoom(10_000_000, 100, freeBytes, metrics),
                new AppendAdmission(1_000_000, 1_000_000, 100_000, metrics),
                authentication(world, process, incidents, metrics),
                new BlockedClients(
                        new Flapping(Flapping.Limits.NONE, System::nanoTime), _ -> false, Instant::now, metrics),
                incidents,
                new Ledger(metrics),
                new SysTopics(SysReaders.AUTHENTICATED, clock),
                clock,
                null,
                metrics);
    }

    private static Authentication authentication(
            World world, SimProcess process, ClientIncidents incidents, MeterRegistry metrics) {
        return new Authentication(
                List.of(shown -> new AuthenticationOutcome.Accepted(new ClientIdentity(
                        shown.clientId(),
                        shown.clientId().value().startsWith("app") ? ClientType.APPLICATION : ClientType.DEVICE,
                        shown.clientId().value()))),
                List.of(),
                task -> world.after(process, world.delay(), task),
                1_000,
                new SignInFailures(Duration.ofMillis(1), Duration.ZERO, Duration.ofMinutes(1), world::nanoTime),
                incidents,
                metrics);
    }
}

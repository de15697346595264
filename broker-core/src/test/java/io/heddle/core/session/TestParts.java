package io.heddle.core.session;

import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.EnhancedMethod;
import io.heddle.core.authentication.blocked.BlockedClients;
import io.heddle.core.authentication.blocked.Flapping;
import io.heddle.core.authentication.fairness.ConnectRates;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeLog;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.delivery.bucket.TruncationLimits;
import io.heddle.core.lifecycle.CoreSettings;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.message.tracing.Tracing;
import io.heddle.core.node.NodeResources;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.sys.SysReaders;
import io.heddle.core.sys.SysTopics;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.LogLines;
import io.heddle.core.testkit.ManualEventLoop;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parts of a test node that exist before its stores: two event loops that the test drives, a clock, and small resources. */
public abstract class TestParts {
    /** Slightly more than ten changes. */
    private static final int ADMISSION_BYTES = 6_000;

    /** Connections of a client in a minute above which it is blocked for five. */
    public static final int FLAPPING_CONNECTIONS = 200;

    public final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    public final Ledger ledger = new Ledger(metrics);
    public final ManualEventLoop loop = new ManualEventLoop(0);
    public final ManualEventLoop otherLoop = new ManualEventLoop(1);
    /** The time passes with that of the first loop. */
    public final SteadyClock clock;

    public final SubscriptionTrie trie;
    public final RetainedMessages retained;
    /** Readable by clients of this machine, as all clients are unless a test sets another address. */
    public final SysTopics sys;

    public final MemoryBudget memory;
    /** The free bytes of the disk; below 100, publishes that must be stored are refused. */
    public long freeBytes = StorageRoom.UNKNOWN;

    public final StorageRoom storage = new StorageRoom(10_000, 100, () -> freeBytes, metrics);
    public final AppendAdmission admission = new AppendAdmission(ADMISSION_BYTES, ADMISSION_BYTES, 5_000, metrics);

    /** The lines about clients. */
    public final LogLines lines = new LogLines();

    public final ClientIncidents incidents = new ClientIncidents(lines.logger(), loop::nanoTime, metrics);
    public final BlockedClients blocked;

    /** The steps of the enhanced method TEST, one object for all exchanges. */
    public EnhancedMethod.Exchange exchange = (_, _) -> {
        throw new AssertionError("no test has set the steps of the exchange");
    };

    /** True if the listener has the method. */
    public boolean hasEnhancedMethod = true;

    public Authenticator authenticator =
            new AnonymousAuthenticator(new InMemoryCredentialsStore(), _ -> true, List.of());

    private final Authentication authentication = authentication();

    /** @param now the time of day when the loops begin */
    protected TestParts(
            InstantSource now,
            SubscriptionLimits subscriptionLimits,
            RetainedLimits retainedLimits,
            long memoryLimitBytes) {
        clock = new SteadyClock(now, loop::nanoTime);
        trie = new SubscriptionTrie(subscriptionLimits);
        retained = new RetainedMessages(retainedLimits, clock, metrics);
        sys = new SysTopics(SysReaders.AUTHENTICATED, clock);
        memory = new MemoryBudget(memoryLimitBytes, metrics);
        blocked = new BlockedClients(
                new Flapping(
                        new Flapping.Limits(FLAPPING_CONNECTIONS, Duration.ofMinutes(1), Duration.ofMinutes(5)),
                        loop::nanoTime),
                clientId -> clientId.value().equals("exempt"),
                () -> Instant.ofEpochMilli(clock.millis()),
                metrics);
    }

    private Authentication authentication() {
        EnhancedMethod method = EnhancedMethod.of("TEST", () -> (client, data) -> exchange.answer(client, data));
        return new Authentication(
                _ -> new Authentication.Chain(
                        List.of(shown -> authenticator.authenticate(shown)),
                        hasEnhancedMethod ? List.of(method) : List.of()),
                Runnable::run,
                10,
                ConnectRates.unlimited(),
                new SignInFailures(Duration.ofMillis(1), Duration.ZERO, Duration.ofMinutes(1), System::nanoTime),
                incidents,
                metrics);
    }

    protected final NodeResources resources(@Nullable Tracing tracing, MeterRegistry registry) {
        return new NodeResources(
                trie,
                retained,
                memory,
                storage,
                admission,
                authentication,
                blocked,
                incidents,
                ledger,
                sys,
                clock,
                tracing,
                registry);
    }

    protected final Membership membership(
            NodeLog log, MembershipSettings settings, int buckets, Consumer<String> onOver) {
        return new Membership(
                log,
                settings,
                View.atBeginning(0, buckets),
                _ -> false,
                RoutingLease.unlimited(),
                loop::nanoTime,
                onOver,
                metrics);
    }

    /** @param number of the start of the node */
    protected static void join(Membership membership, int number) {
        try {
            var _ = membership.join(number);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    protected static CoreSettings coreSettings(Membership joined, int buckets, SessionSettings settings) {
        return new CoreSettings(
                joined.incarnation().toString(),
                buckets,
                settings,
                1 << 16,
                1_000_000,
                1 << 20,
                Duration.ZERO,
                new TruncationLimits(Duration.ofHours(1), Duration.ofSeconds(30)));
    }

    public final double count(String name, String... tags) {
        return metrics.get(name).tags(tags).meter().measure().iterator().next().getValue();
    }

    public final double dropped(String reason) {
        return count("heddle.messages.dropped", "reason", reason);
    }

    public final double gauge(String name) {
        return metrics.get(name).gauge().value();
    }
}

package io.heddle.app.wiring;

import io.heddle.api.config.ApiConfiguration;
import io.heddle.api.server.HttpLimits;
import io.heddle.api.server.ProbePort;
import io.heddle.api.server.TrustedProxies;
import io.heddle.app.drain.Drain;
import io.heddle.app.events.EventPublishing;
import io.heddle.app.health.StoresReadiness;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.HttpSettings;
import io.heddle.app.settings.MqttSettings;
import io.heddle.app.settings.SettingOrigin;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.app.sys.SysStatusUpdates;
import io.heddle.app.tls.NodeCertificates;
import io.heddle.app.tracing.MessageTracing;
import io.heddle.core.administration.FirstAdministrator;
import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.KnownCredentials;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.lifecycle.Broker;
import io.heddle.core.lifecycle.Housekeeping;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.node.NodeResources;
import io.heddle.core.operator.blocked.BlockedWatch;
import io.heddle.core.operator.rule.RuleReplica;
import io.heddle.core.operator.store.TransactionWatch;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.session.CredentialsWatch;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.sys.history.History;
import io.heddle.core.sys.ledger.LedgerWatch;
import io.heddle.persistence.postgres.PostgresCredentials;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Wires the broker: constructs every component once and defines the order of the start-up phases. The beans of the HTTP interface are in {@link
 * ApiConfiguration}, those of the health in {@link HealthConfiguration}, and those of the node as a whole in {@link NodeConfiguration}.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableConfigurationProperties(HeddleSettings.class)
@Import({ApiConfiguration.class, HealthConfiguration.class, ListenerConfiguration.class, NodeConfiguration.class})
public class HeddleConfiguration {
    private static final Duration RETAINED_EXPIRY_PAUSE = Duration.ofSeconds(1);
    /** A partition in which the same transaction is open in two turns is examined. */
    private static final Duration TRANSACTION_WATCH_PAUSE = Duration.ofSeconds(5);

    private static final Duration BUCKET_TRUNCATION_PAUSE = Duration.ofSeconds(1);
    private static final Duration SESSION_EXPIRY_PAUSE = Duration.ofMillis(250);
    /** At most 10,000 a second: each ends with records in the log, and perhaps a will. */
    private static final int SESSIONS_EXPIRED_AT_ONCE = 2_500;

    /** Between two waits for changes, each of which lasts half a second. */
    private static final Duration CREDENTIALS_WATCH_PAUSE = Duration.ofMillis(10);

    /** Detects a Redis that loses data while it is connected; after a reconnection it is checked immediately. */
    private static final Duration ROLLBACK_DETECTION_PAUSE = Duration.ofSeconds(5);
    /** Nodes of the trie that a run visits: about 30,000 messages a second. */
    private static final int RETAINED_EXPIRY_VISITS = 100_000;

    @Bean
    SubscriptionTrie subscriptionTrie(HeddleSettings settings) {
        return new SubscriptionTrie(settings.subscription().toSubscriptionLimits());
    }

    @Bean
    SteadyClock steadyClock() {
        return new SteadyClock(InstantSource.system(), System::nanoTime);
    }

    @Bean
    RetainedMessages retainedMessages(HeddleSettings settings, SteadyClock clock, MeterRegistry metrics) {
        return new RetainedMessages(settings.retained().toRetainedLimits(), clock, metrics);
    }

    @Bean
    MemoryBudget memoryBudget(HeddleSettings settings, MeterRegistry metrics) {
        return new MemoryBudget(settings.session().memoryLimitBytes(), metrics);
    }

    @Bean
    StorageRoom storageRoom(HeddleSettings settings, StandaloneServers servers, MeterRegistry metrics) {
        DataDisk disk = servers.disk();
        long logBytes = settings.buckets().logBytes();
        return disk == null
                ? new StorageRoom(logBytes, 0, () -> StorageRoom.UNKNOWN, metrics)
                : new StorageRoom(
                        logBytes, settings.standalone().minimumFreeBytes(disk.totalBytes()), disk::freeBytes, metrics);
    }

    @Bean
    Stores stores(HeddleSettings settings, MeterRegistry metrics) {
        return new Stores(settings, metrics);
    }

    @Bean
    CredentialsStore credentialsStore(Stores stores) {
        return new PostgresCredentials(stores::postgres);
    }

    @Bean
    KnownCredentials knownCredentials(HeddleSettings settings, CredentialsStore store, MeterRegistry metrics) {
        return new KnownCredentials(store, settings.authentication().maximumRemembered(), System::nanoTime, metrics);
    }

    @Bean
    AnonymousAccessDecision anonymousAccess(
            HeddleSettings settings, ConfigurableEnvironment environment, CredentialsStore credentials) {
        String origin = SettingOrigin.of(SettingOrigin.find(environment, MqttSettings.BIND));
        return new AnonymousAccessDecision(
                settings,
                origin.isEmpty() ? " (--bind)" : origin,
                environment.acceptsProfiles(StandaloneSettings.PROFILE),
                credentials);
    }

    @Bean
    SelfCheckCredentials selfCheckCredentials() {
        return new SelfCheckCredentials();
    }

    /** Virtual threads for blocking steps of authentication, whose number {@link Authentication} bounds. */
    @Bean(destroyMethod = "shutdownNow")
    ExecutorService authenticationTasks() {
        return Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("heddle-authentication-", 0).factory());
    }

    @Bean
    SignInFailures signInFailures(HeddleSettings settings) {
        return settings.authentication().signInFailures();
    }

    @Bean
    AuthenticationMethods authenticationMethods(
            HeddleSettings settings,
            SignInFailures failures,
            KnownCredentials credentials,
            Stores stores,
            SteadyClock clock,
            MeterRegistry metrics) {
        return new AuthenticationMethods(
                settings.authentication(), failures, credentials, stores::clusterId, clock, metrics);
    }

    @Bean
    Authentication authentication(
            HeddleSettings settings,
            AuthenticationMethods methods,
            SelfCheckCredentials selfCheck,
            KnownCredentials credentials,
            AnonymousAccessDecision anonymousAccess,
            ActiveRules rules,
            ExecutorService authenticationTasks,
            SignInFailures failures,
            ClientIncidents incidents,
            MeterRegistry metrics) {
        Authenticator anonymous = new AnonymousAuthenticator(
                credentials,
                anonymousAccess::isAllowed,
                settings.authentication().anonymous().applicationClientPatterns());
        return new Authentication(
                methods.create(
                        selfCheck, anonymous, settings.mqtt().allListeners().all(), rules),
                authenticationTasks,
                settings.authentication().maximumPending(),
                settings.authentication().connectRates(),
                failures,
                incidents,
                metrics);
    }

    @Bean
    EventLoopThreads eventLoopThreads(HeddleSettings settings) {
        return new EventLoopThreads(settings.mqtt());
    }

    @Bean
    ClusterLinks clusterLinks(
            HeddleSettings settings, EventLoopThreads eventLoops, StandaloneServers servers, MeterRegistry metrics) {
        return new ClusterLinks(settings, eventLoops, servers::includeKafka, metrics);
    }

    @Bean
    ClusterStartup clusterStartup(
            HeddleSettings settings,
            Stores stores,
            StandaloneServers servers,
            NodeEnd end,
            ClusterLinks links,
            NodeResources node,
            RuleReplica rules,
            EventLoopThreads eventLoops) {
        return new ClusterStartup(settings, stores, servers::includeKafka, end, links, node, rules, eventLoops);
    }

    @Bean
    CoreStartup coreStartup(
            HeddleSettings settings,
            Stores stores,
            ClusterStartup cluster,
            NodeResources node,
            TransactionWatch transactions,
            ActiveRules rules,
            RuleReplica ruleReplica,
            History history,
            LedgerWatch ledger,
            EventLoopThreads eventLoops) {
        return new CoreStartup(
                settings, stores, cluster, node, transactions, rules, ruleReplica, history, ledger, eventLoops);
    }

    @Bean(destroyMethod = "stop")
    Broker broker(
            HeddleSettings settings,
            Environment environment,
            StandaloneServers servers,
            Stores stores,
            FirstAdministrator firstAdministrator,
            NodeCertificates certificates,
            AnonymousAccessDecision anonymousAccess,
            AuthenticationMethods authenticationMethods,
            SelfCheckCredentials selfCheckCredentials,
            EventLoopThreads eventLoops,
            ClusterLinks links,
            ClusterStartup cluster,
            CoreStartup startup,
            MqttListeners listeners,
            ClusterOperations operations,
            EventPublishing events,
            MessageTracing tracing,
            SysStatusUpdates sysStatus,
            CredentialsWatch credentialsWatch,
            BlockedWatch blockedWatch,
            StoresReadiness readiness,
            TransactionWatch transactions,
            ServletWebServerApplicationContext web,
            @Nullable ProbePort probes,
            MeterRegistry metrics) {
        Gauge.builder("heddle.standalone.restarts", servers, StandaloneServers::restarts)
                .register(metrics);
        Announcement announcement = new Announcement(
                settings,
                environment.acceptsProfiles(StandaloneSettings.PROFILE),
                servers,
                listeners,
                anonymousAccess,
                firstAdministrator,
                () -> Objects.requireNonNull(web.getWebServer(), "the web server is started before the broker")
                        .getPort(),
                probes);
        List<StartupPhase> phases = new ArrayList<>(List.of(certificates, servers, stores));
        phases.addAll(readiness.phases());
        phases.add(events);
        phases.add(tracing);
        // Without PostgreSQL the node does not start.
        phases.add(StartupPhase.of("the blocked clients", blockedWatch::load));
        phases.addAll(authenticationMethods.phases(startup::sessions));
        phases.addAll(List.of(
                eventLoops,
                links,
                cluster,
                // Before the logs are read: a hanging transaction stops the start, too.
                new Housekeeping("transaction-watch", TRANSACTION_WATCH_PAUSE, transactions::run),
                startup,
                startup.service(),
                anonymousAccess,
                new Housekeeping("credentials-watch", CREDENTIALS_WATCH_PAUSE, credentialsWatch::run),
                new Housekeeping(
                        "session-expiry",
                        SESSION_EXPIRY_PAUSE,
                        () -> startup.core().housekeeping().run(SESSIONS_EXPIRED_AT_ONCE)),
                new Housekeeping(
                        "rollback-detection",
                        ROLLBACK_DETECTION_PAUSE,
                        () -> startup.core().rollbackDetector().checkIdleBuckets()),
                new Housekeeping(
                        "bucket-truncation",
                        BUCKET_TRUNCATION_PAUSE,
                        () -> startup.core().truncation().run()),
                new Housekeeping(
                        "retained-expiry",
                        RETAINED_EXPIRY_PAUSE,
                        () -> startup.core().expireRetained(RETAINED_EXPIRY_VISITS)),
                sysStatus,
                startup.recording(),
                listeners,
                operations,
                new SelfCheck(selfCheckCredentials, listeners),
                cluster.role(),
                announcement));
        return new Broker(phases);
    }

    @Bean
    Drain drain(HeddleSettings settings, ClusterStartup cluster, MqttListeners listeners, MeterRegistry metrics) {
        return new Drain(
                settings.drain(),
                cluster.drainingMember(),
                listeners,
                System::nanoTime,
                time -> new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS),
                metrics);
    }

    @Bean
    HttpLimits httpLimits(HeddleSettings settings) {
        HttpSettings http = settings.http();
        return new HttpLimits(
                http.effectiveConnections(settings.mqtt().fileDescriptors()),
                http.effectiveConnectionsPerAddress(settings.mqtt().fileDescriptors()),
                http.requestTimeout(),
                http.bodyTimeout());
    }

    @Bean
    TrustedProxies trustedProxies(HeddleSettings settings) {
        return new TrustedProxies(settings.http().trustedProxies());
    }

    /** Null if there is none. */
    @Bean
    @Nullable
    ProbePort probePort(HeddleSettings settings, MeterRegistry metrics) {
        HttpSettings http = settings.http();
        return http.probePort().isOff() ? null : new ProbePort(http.address(), http.fixedProbePort(), metrics);
    }

    @Bean
    Node node(
            HeddleSettings settings,
            BuildProperties build,
            Broker broker,
            MqttListeners listeners,
            CoreStartup startup,
            SubscriptionTrie trie,
            ClusterStartup cluster,
            ClusterOperations operations,
            NodeCertificates certificates,
            NodeEnd end) {
        return new RunningNode(
                settings.node().id(),
                String.valueOf(build.getVersion()),
                broker,
                listeners,
                startup,
                trie,
                cluster,
                operations,
                certificates,
                end.inOrder(),
                Clock.systemUTC());
    }
}

package io.heddle.app.wiring;

import io.heddle.api.message.MessageLimits;
import io.heddle.api.security.SignInSettings;
import io.heddle.app.events.EventPublishing;
import io.heddle.app.local.AnnouncedAddress;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.MqttSettings;
import io.heddle.app.settings.RunningSettings;
import io.heddle.app.sys.SysStatusUpdates;
import io.heddle.app.tracing.MessageTracing;
import io.heddle.core.administration.AdminSessions;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.administration.ApiKeys;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.administration.FirstAdministrator;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.CredentialsChanges;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.KnownCredentials;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import io.heddle.core.authentication.blocked.BlockedClients;
import io.heddle.core.authentication.blocked.Flapping;
import io.heddle.core.authentication.csv.HashFormat;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.node.NodeResources;
import io.heddle.core.node.operation.EffectiveSettings;
import io.heddle.core.operator.blocked.BlockedWatch;
import io.heddle.core.operator.rule.RuleReplica;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.QueueServers;
import io.heddle.core.operator.store.TransactionWatch;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.routing.Router;
import io.heddle.core.session.CredentialsWatch;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.sys.BrokerMeters;
import io.heddle.core.sys.CpuUsage;
import io.heddle.core.sys.SysDelivery;
import io.heddle.core.sys.SysStatus;
import io.heddle.core.sys.SysTopics;
import io.heddle.core.sys.history.History;
import io.heddle.core.sys.ledger.LedgerWatch;
import io.heddle.persistence.kafka.events.EventPublisher;
import io.heddle.persistence.kafka.read.KafkaLogServers;
import io.heddle.persistence.kafka.transaction.KafkaHangingTransactions;
import io.heddle.persistence.password.Argon2PasswordHash;
import io.heddle.persistence.password.RememberingPasswordHash;
import io.heddle.persistence.postgres.PostgresAdminSessions;
import io.heddle.persistence.postgres.PostgresAdminUsers;
import io.heddle.persistence.postgres.PostgresApiKeys;
import io.heddle.persistence.postgres.PostgresAuditLog;
import io.heddle.persistence.postgres.PostgresBlockedClients;
import io.heddle.persistence.redis.RedisQueueServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Constructs the parts of the node that exist before its stores are open, those that tell its state to other nodes and to clients, and those of its
 * administration.
 */
@Configuration(proxyBeanMethods = false)
class NodeConfiguration {
    private static final int REMEMBERED_ADMINISTRATORS = 1_000;

    @Bean
    NodeResources nodeResources(
            HeddleSettings settings,
            SubscriptionTrie trie,
            RetainedMessages retained,
            MemoryBudget memory,
            StorageRoom storage,
            Authentication authentication,
            BlockedClients blocked,
            ClientIncidents incidents,
            Ledger ledger,
            SysTopics sysTopics,
            SteadyClock clock,
            MessageTracing tracing,
            MeterRegistry metrics) {
        return new NodeResources(
                trie,
                retained,
                memory,
                storage,
                settings.subscription().toAppendAdmission(metrics),
                authentication,
                blocked,
                incidents,
                ledger,
                sysTopics,
                clock,
                tracing.tracing(),
                metrics);
    }

    @Bean
    MessageTracing messageTracing(HeddleSettings settings, BuildProperties build, MeterRegistry metrics) {
        return new MessageTracing(
                settings.tracing(), settings.node().id(), String.valueOf(build.getVersion()), metrics);
    }

    @Bean(destroyMethod = "close")
    AnnouncedAddress announcedAddress(HeddleSettings settings, StandaloneServers servers) {
        return new AnnouncedAddress(
                servers.disk() == null ? null : settings.standalone().dataDirectory(),
                settings.node().id(),
                settings.http().scheme(),
                settings.http().address());
    }

    @Bean
    ClientIncidents clientIncidents(MeterRegistry metrics) {
        return new ClientIncidents(System::nanoTime, metrics);
    }

    /** For administrators, whose password checks do not wait for those of clients. */
    @Bean
    PasswordHash passwordHash(SignInSettings settings, MeterRegistry metrics) {
        SecureRandom random = new SecureRandom();
        return new RememberingPasswordHash(
                new Argon2PasswordHash(settings.maxConcurrentVerifications(), random, metrics),
                REMEMBERED_ADMINISTRATORS,
                settings.remember(),
                random,
                System::nanoTime,
                // Its metrics are those of clients; heddle.admin.sign.in counts the sign-ins of administrators.
                new CompositeMeterRegistry());
    }

    @Bean
    HashFormat hashFormat() {
        return Argon2PasswordHash::isHash;
    }

    @Bean
    ActiveRules activeRules(HeddleSettings settings) {
        return new ActiveRules(settings.authorization().initial());
    }

    @Bean
    RuleReplica ruleReplica(ActiveRules rules, Stores stores, MeterRegistry metrics) {
        return new RuleReplica(
                rules,
                stores.rules(),
                task -> Thread.ofVirtual().name("heddle-rules").start(task),
                CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS),
                metrics);
    }

    @Bean
    CredentialsChanges credentialsChanges(Stores stores) {
        return stores.credentialsChanges();
    }

    @Bean
    CredentialsWatch credentialsWatch(
            CredentialsChanges changes,
            CredentialsStore credentials,
            CoreStartup startup,
            KnownCredentials known,
            BlockedWatch blocked,
            HeddleSettings settings,
            MeterRegistry metrics) {
        return new CredentialsWatch(
                changes,
                credentials,
                startup::sessions,
                known,
                blocked,
                settings.authentication()
                        .maximumPasswordWait()
                        .plus(settings.mqtt().connectTimeout()),
                System::nanoTime,
                metrics);
    }

    @Bean
    BlockedClientStore blockedClientStore(Stores stores) {
        return new PostgresBlockedClients(stores::postgres);
    }

    @Bean
    BlockedClients blockedClients(
            HeddleSettings settings, SelfCheckCredentials selfCheck, SteadyClock clock, MeterRegistry metrics) {
        return new BlockedClients(
                new Flapping(settings.authentication().flapping().toLimits(), System::nanoTime),
                selfCheck::isSelf,
                () -> Instant.ofEpochMilli(clock.millis()),
                metrics);
    }

    @Bean
    BlockedWatch blockedWatch(BlockedClients clients, BlockedClientStore store, CoreStartup startup) {
        return new BlockedWatch(clients, store, startup::sessions, System::nanoTime);
    }

    @Bean
    AuditLog auditLog(Stores stores) {
        return new PostgresAuditLog(stores::postgres);
    }

    @Bean
    AdminUsers adminUsers(Stores stores) {
        return new PostgresAdminUsers(stores::postgres);
    }

    @Bean
    AdminSessions adminSessions(Stores stores) {
        return new PostgresAdminSessions(stores::postgres);
    }

    @Bean
    ApiKeys apiKeys(Stores stores) {
        return new PostgresApiKeys(stores::postgres);
    }

    @Bean
    FirstAdministrator firstAdministrator(AdminUsers users, PasswordHash passwordHash) {
        return new FirstAdministrator(users, passwordHash, new SecureRandom());
    }

    @Bean
    EffectiveSettings effectiveSettings(HeddleSettings settings, ConfigurableEnvironment environment) {
        return new RunningSettings(settings, environment);
    }

    @Bean
    SysTopics sysTopics(HeddleSettings settings, SteadyClock clock) {
        return new SysTopics(settings.sys().readableBy(), clock);
    }

    @Bean
    Ledger ledger(MeterRegistry metrics) {
        return new Ledger(metrics);
    }

    @Bean
    LedgerWatch ledgerWatch(Ledger ledger, MeterRegistry metrics) {
        return new LedgerWatch(ledger, System::nanoTime, metrics);
    }

    @Bean
    BrokerMeters brokerMeters(MeterRegistry metrics) {
        return new BrokerMeters(metrics, System::nanoTime);
    }

    @Bean
    History history(MeterRegistry metrics, BrokerMeters meters) {
        return new History(metrics, meters, CpuUsage.ofThisProcess(), InstantSource.system(), System::nanoTime);
    }

    @Bean
    SysStatusUpdates sysStatusUpdates(
            HeddleSettings settings,
            SysTopics topics,
            SubscriptionTrie trie,
            EventLoopThreads eventLoops,
            BrokerMeters meters,
            ClusterOperations operations,
            BuildProperties build,
            Ledger ledger) {
        return new SysStatusUpdates(
                settings.sys(),
                () -> new SysStatus(
                        topics,
                        new SysDelivery(new Router(trie), eventLoops.all(), ledger),
                        meters,
                        String.valueOf(build.getVersion()),
                        settings.node().id(),
                        operations::figuresOfOthers));
    }

    @Bean
    EventPublishing eventPublishing(
            HeddleSettings settings,
            Stores stores,
            ClientIncidents incidents,
            SteadyClock clock,
            MeterRegistry metrics) {
        return new EventPublishing(
                settings.events(),
                incidents.events(),
                () -> EventPublisher.open(
                        stores.kafka().settings(),
                        settings.node().id(),
                        settings.events().kinds(),
                        settings.events().maximumRate(),
                        clock,
                        metrics));
    }

    @Bean
    MessageLimits messageLimits(HeddleSettings settings, ActiveRules rules) {
        MqttSettings mqtt = settings.mqtt();
        SessionSettings limits = mqtt.toSessionSettings(settings.session(), rules);
        return new MessageLimits(
                limits.maximumPacketSize(),
                mqtt.maximumTopicLength(),
                limits.maximumTopicLevels(),
                mqtt.maximumUserProperties(),
                limits.topics());
    }

    @Bean
    LogServers logServers(Stores stores, CoreStartup startup) {
        return new KafkaLogServers(() -> stores.kafka().admin(), startup::followedLag);
    }

    @Bean
    HangingTransactions hangingTransactions(Stores stores) {
        return new KafkaHangingTransactions(stores::kafka, InstantSource.system());
    }

    @Bean
    TransactionWatch transactionWatch(HangingTransactions transactions, ClusterStartup cluster, MeterRegistry metrics) {
        return new TransactionWatch(transactions, cluster::isFirst, metrics);
    }

    @Bean
    QueueServers queueServers(Stores stores) {
        return new RedisQueueServers(stores::redis);
    }

    /** Only while the broker runs. */
    @Bean
    @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
    LocalSessions localSessions(CoreStartup startup) {
        return startup.core().sessions();
    }

    /** Only while the broker runs. */
    @Bean
    @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
    PersistentSessions persistentSessions(CoreStartup startup) {
        return startup.core().persistentSessions();
    }

    @Bean
    ClusterOperations clusterOperations(
            HeddleSettings settings,
            ClusterStartup cluster,
            MqttListeners listeners,
            BrokerMeters meters,
            TransactionWatch transactions,
            MeterRegistry metrics,
            BuildProperties build) {
        return new ClusterOperations(
                settings.drain(),
                cluster,
                listeners,
                meters,
                transactions,
                metrics,
                String.valueOf(build.getVersion()));
    }
}

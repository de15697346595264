package io.heddle.app.wiring;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.ListenerMethods;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketWriter;
import io.heddle.core.lifecycle.BrokerCore;
import io.heddle.core.lifecycle.CoreSettings;
import io.heddle.core.lifecycle.Housekeeping;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.lifecycle.StateChecksums;
import io.heddle.core.lifecycle.StorePorts;
import io.heddle.core.node.ClusterRoutes;
import io.heddle.core.node.NodeResources;
import io.heddle.core.operator.alert.AlertSearch;
import io.heddle.core.operator.alert.AlertWatch;
import io.heddle.core.operator.bucket.BucketAdministration;
import io.heddle.core.operator.client.Clients;
import io.heddle.core.operator.client.ClusterClients;
import io.heddle.core.operator.explain.DeliveryExplainer;
import io.heddle.core.operator.history.HistorySearch;
import io.heddle.core.operator.ledger.LedgerSearch;
import io.heddle.core.operator.message.MessageAdministration;
import io.heddle.core.operator.message.SeekQuestions;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.refusal.RefusalSearch;
import io.heddle.core.operator.rule.RuleAdministration;
import io.heddle.core.operator.rule.RuleReplica;
import io.heddle.core.operator.store.TransactionWatch;
import io.heddle.core.operator.top.TopSearch;
import io.heddle.core.operator.trace.Tracer;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.sys.history.History;
import io.heddle.core.sys.history.Range;
import io.heddle.core.sys.ledger.LedgerWatch;
import io.heddle.persistence.kafka.log.KafkaLogs;
import io.heddle.persistence.redis.RedisBuckets;
import io.heddle.persistence.redis.RedisDeviceQueues;
import io.heddle.persistence.redis.RedisSessionRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the logs and constructs the {@link BrokerCore} on them once this node has joined the cluster, and follows the logs. The {@link #service}
 * reads on to the ends of the logs and takes this node's share of the buckets. Started and stopped by one thread at a time; any thread may use it.
 */
final class CoreStartup implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(CoreStartup.class);
    /** The next start publishes the wills again that are still in flight by then. */
    private static final Duration WILLS_ARRIVE_WITHIN = Duration.ofSeconds(1);

    private final HeddleSettings settings;
    private final Stores stores;
    private final ClusterStartup cluster;
    private final NodeResources node;
    private final TransactionWatch transactions;
    private final ActiveRules rules;
    private final RuleReplica ruleReplica;
    private final History history;
    private final LedgerWatch ledger;
    private final AlertWatch alerts;
    private final EventLoopThreads eventLoops;
    // Confined to the thread that starts and stops.
    private @Nullable Opened opened;
    // Set while this node serves.
    private volatile @Nullable BrokerCore serving;
    private volatile @Nullable Administration administration;
    private volatile @Nullable KafkaLogs followedLogs;

    /** What administrators see and change of all nodes. */
    record Administration(
            Clients clients,
            MessageAdministration messages,
            BucketAdministration buckets,
            RuleAdministration rules,
            RefusalSearch refusals,
            DeliveryExplainer explainer,
            TopSearch top,
            HistorySearch history,
            LedgerSearch ledger,
            AlertSearch alerts,
            Tracer tracer) {}

    private record Opened(KafkaLogs logs, BrokerCore core) {}

    CoreStartup(
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
        this.settings = settings;
        this.stores = stores;
        this.cluster = cluster;
        this.node = node;
        this.transactions = transactions;
        this.rules = rules;
        this.ruleReplica = ruleReplica;
        this.history = history;
        this.ledger = ledger;
        this.alerts = new AlertWatch(node.metrics(), System::nanoTime);
        this.eventLoops = eventLoops;
    }

    @Override
    public String name() {
        return "the logs of sessions, subscriptions and messages";
    }

    @Override
    public void start() {
        BucketPositions positions = new BucketPositions(
                settings.buckets().count(), settings.buckets().toLagBounds(), node.clock(), node.metrics());
        KafkaLogs logs = KafkaLogs.open(
                stores.kafka(),
                settings.kafka().toProducerSettings(settings.node()),
                cluster.life(),
                settings.applications().toLogSettings(),
                positions,
                node.metrics());
        boolean complete = false;
        try {
            cluster.setRefusal(logs::refuseAppends);
            ClusterRoutes routes = cluster.routes();
            BrokerCore core = new BrokerCore(
                    coreSettings(),
                    node,
                    eventLoops.all(),
                    positions,
                    cluster.lease(),
                    ports(logs, routes.committing(logs.clients())),
                    cluster::end,
                    routes.routes());
            core.replica().onSessionsApplied(routes.followed());
            administration = administration(core, logs, positions);
            if (!ruleReplica.start(cluster.ruleAnnouncer())
                    && !settings.mqtt().allListeners().isLoopbackOnly()) {
                log.warn(
                        "There are no rules for topics, so each client may {}; store rules with heddle admin rules set",
                        rules.current().allowsEverything()
                                ? "publish and subscribe to all topics"
                                : "neither publish nor subscribe");
            }
            cluster.openLinks();
            core.replica().follow();
            followedLogs = logs;
            opened = new Opened(logs, core);
            complete = true;
        } catch (RuleSyntaxException unreadable) {
            throw new StartupException(
                    "The stored rules for topics cannot be read: " + unreadable.getMessage()
                            + ". Use the version of Heddle that has stored them",
                    unreadable);
        } finally {
            if (!complete) {
                logs.close();
            }
        }
    }

    /** Returns the phase in which this node begins to decide about clients. */
    StartupPhase service() {
        return new Service();
    }

    /** Reads the logs to their ends. Started and stopped by one thread at a time. */
    private final class Service implements StartupPhase {
        private @Nullable BucketShare share;

        @Override
        public String name() {
            return "the replay of sessions, subscriptions and messages";
        }

        @Override
        public void start() {
            Opened open = opened;
            if (open == null) {
                throw new IllegalStateException("the logs are opened before the buckets are taken");
            }
            BrokerCore core = open.core();
            ReplicaCatchUp replica =
                    new ReplicaCatchUp(core.replica(), settings.kafka().connectTimeout(), System::nanoTime);
            // Buckets may be held for some time before the start ends.
            stores.redis().onReconnected(core::onQueuesReturned);
            open.logs().buckets().read(core.bucketWriter());
            // A node that ends meanwhile is declared dead after the lease.
            Duration timeout = settings.kafka()
                    .connectTimeout()
                    .plus(settings.cluster().lease().multipliedBy(2));
            BucketShare starting = new BucketShare(cluster, cluster.routes(), core, replica, timeout);
            starting.start();
            share = starting;
            serving = core;
        }

        @Override
        public void stop() {
            BrokerCore stopped = serving;
            serving = null;
            if (stopped != null) {
                awaitWills(stopped.wills());
            }
            BucketShare taken = share;
            share = null;
            if (taken != null) {
                taken.stop();
            }
        }
    }

    /** Returns the task that records the figures of this node, checks its ledger, and looks for alerts. */
    Housekeeping recording() {
        return new Housekeeping("history", Range.HOUR.step(), history::record, ledger::check, alerts::evaluate);
    }

    private Administration administration(BrokerCore core, KafkaLogs logs, BucketPositions positions) {
        NodeQuestions questions = cluster.nodeQuestions();
        SeekQuestions seeks = new SeekQuestions(questions);
        seeks.answer(core.registrar());
        BucketAdministration buckets = new BucketAdministration(questions, cluster::view, logs.buckets());
        buckets.answer(core.persistentSessions().held(), positions, blockReason(core.bucketWriter()));
        RuleAdministration allRules = new RuleAdministration(
                rules,
                stores.rules(),
                ruleReplica,
                cluster.ruleAnnouncer(),
                questions,
                new ListenerMethods(
                        settings.authentication().methodNames(), settings.mqtt().listenerNames()));
        allRules.answer();
        allRules.answerDryRuns(core.sessions());
        RefusalSearch refusals = new RefusalSearch(questions);
        refusals.answer(node.incidents().recent());
        Clients clients = new ClusterClients(questions, core.sessions(), core.persistentSessions(), node.trie());
        DeliveryExplainer explainer =
                new DeliveryExplainer(questions, clients, core.persistentSessions(), node.clock());
        explainer.answer(core.sessions());
        TopSearch top = new TopSearch(questions, node.clock());
        top.answer(core.sessions());
        HistorySearch histories = new HistorySearch(questions, InstantSource.system());
        histories.answer(history);
        LedgerSearch ledgers = new LedgerSearch(questions);
        ledgers.answer(ledger);
        AlertSearch allAlerts = new AlertSearch(questions);
        allAlerts.answer(alerts);
        Tracer tracer = new Tracer(questions, node.clock());
        tracer.answer(node.incidents().events(), node.metrics());
        return new Administration(
                clients,
                core.messageAdministration().with(seeks),
                buckets,
                allRules,
                refusals,
                explainer,
                top,
                histories,
                ledgers,
                allAlerts,
                tracer);
    }

    private CoreSettings coreSettings() {
        return new CoreSettings(
                cluster.life().incarnation().toString(),
                settings.buckets().count(),
                settings.mqtt().toSessionSettings(settings.session(), rules),
                settings.delivery().handoverLimitBytes(settings.mqtt().eventLoopThreads()),
                settings.delivery().readAheadLimitBytes(),
                settings.buckets().readAheadBytesOfABucket(),
                settings.buckets().acknowledgementInterval(),
                settings.buckets().toTruncationLimits());
    }

    private StorePorts ports(KafkaLogs logs, ClientLog clients) {
        RedisBuckets buckets =
                new RedisBuckets(stores.redis(), settings.buckets().count(), logs.bucketsTopicId(), node.metrics());
        return new StorePorts(
                clients,
                logs.retained(),
                logs.progress(),
                logs.messages(),
                logs.buckets(),
                logs.applications(),
                new RedisDeviceQueues(buckets),
                new RedisSessionRegistry(buckets));
    }

    /** Why a bucket is not applied: a fault of the queues, or a transaction that Kafka does not end. */
    private IntFunction<@Nullable String> blockReason(BucketWriter writer) {
        return bucket -> {
            String ofWriter = writer.blockReason(bucket);
            return ofWriter == null ? transactions.blockReason(bucket) : ofWriter;
        };
    }

    /**
     * Returns the services of the started broker.
     *
     * @throws IllegalStateException unless this node serves
     */
    BrokerCore core() {
        BrokerCore current = serving;
        if (current == null) {
            throw new IllegalStateException("the broker is not running");
        }
        return current;
    }

    /**
     * Returns what administrators see and change.
     *
     * @throws StoreUnavailableException unless this node serves
     */
    Administration administration() {
        Administration current = administration;
        if (serving == null || current == null) {
            throw new StoreUnavailableException("this node does not serve", null);
        }
        return current;
    }

    /** Returns the number of records of each followed topic that this node has not read yet, by its name; nothing before the start. */
    Map<String, Long> followedLag() {
        KafkaLogs logs = followedLogs;
        return logs == null ? Map.of() : logs.followedLag();
    }

    /** Returns the connected sessions, or null unless this node serves. */
    @Nullable
    LocalSessions sessions() {
        BrokerCore current = serving;
        return current == null ? null : current.sessions();
    }

    /** Returns the checksums of the state, or null unless this node serves. */
    @Nullable
    StateChecksums checksums() {
        BrokerCore current = serving;
        return current == null ? null : current.checksums();
    }

    /** Waits until the wills of clients that the stop disconnected have arrived. */
    private static void awaitWills(Wills wills) {
        try {
            wills.awaitArrival(WILLS_ARRIVE_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        Opened stopped = opened;
        opened = null;
        if (stopped != null) {
            stopped.logs().buckets().stopReading();
            stopped.logs().close();
        }
    }
}

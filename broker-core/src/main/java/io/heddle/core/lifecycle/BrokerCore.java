package io.heddle.core.lifecycle;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.Dispatcher;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.delivery.bucket.BucketLogTruncation;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketWriter;
import io.heddle.core.delivery.bucket.RollbackDetector;
import io.heddle.core.delivery.bucket.remote.PushReceiver;
import io.heddle.core.delivery.bucket.remote.PushSender;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.node.MessageRouting;
import io.heddle.core.node.NodeResources;
import io.heddle.core.node.NodeRoutes;
import io.heddle.core.operator.message.MessageAdministration;
import io.heddle.core.publish.GroupRedispatch;
import io.heddle.core.publish.PublishService;
import io.heddle.core.quota.ExceededLimit;
import io.heddle.core.retained.RetainedReplica;
import io.heddle.core.routing.Router;
import io.heddle.core.session.ConnectService;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.RuleEnforcement;
import io.heddle.core.session.SessionServices;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.outbound.SessionMetrics;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionChecksums;
import io.heddle.core.session.persistent.SessionReplica;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.session.queue.ClusterQueueSessions;
import io.heddle.core.session.queue.ConnectedFeeds;
import io.heddle.core.session.queue.QueueRedelivery;
import io.heddle.core.session.queue.SessionFeeds;
import io.heddle.core.session.queue.SessionHousekeeping;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.SessionRegistrar;
import io.heddle.core.session.registrar.SubscriptionEditor;
import io.heddle.core.session.registrar.remote.RegistrarRouting;
import io.heddle.core.session.subscribe.SubscribeService;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The services of one started broker, constructed once from its stores, limits and settings; the broker and its tests share this wiring.
 * The starting thread lets the {@link #replica} follow the logs, reads them to their ends, and lets {@link #holding} take buckets.
 * Thread-safe afterwards.
 */
public final class BrokerCore {
    private static final int RETAINED_STEWARD_BUCKET = 0;

    private final StorePorts stores;
    private final BucketPositions positions;
    private final NodeResources node;
    private final NodeRoutes routes;
    private final PersistentSessions persistent;
    private final Replica replica;
    private final Wills wills;
    private final SessionRegistrar ownRegistrar;
    private final LocalSessions sessions;
    private final ConnectService connectService;
    private final SessionHousekeeping housekeeping;
    private final BucketWriter bucketWriter;
    private final BucketLogTruncation truncation;
    private final RollbackDetector rollbackDetector;
    private final ConnectedFeeds connectedFeeds;
    private final MessageAdministration messageAdministration;

    /**
     * @param eventLoops in the order of their indexes
     * @param positions those to which {@code ports.messages()} reports its appends
     * @param onReplicaLost receives one clause for the operator when a log cannot be followed any further; this node is over
     */
    public BrokerCore(
            CoreSettings settings,
            NodeResources node,
            List<EventLoop> eventLoops,
            BucketPositions positions,
            RoutingLease lease,
            StorePorts ports,
            Consumer<String> onReplicaLost,
            NodeRoutes routes) {
        this.stores = ports.countedBy(node.ledger()).tracedBy(node.tracing());
        this.positions = positions;
        this.node = node;
        this.routes = routes;
        RegistrarRouting routing = routes.registrar();
        MessageRouting messages = routes.messages();
        SteadyClock clock = node.clock();
        MeterRegistry metrics = node.metrics();
        SessionSettings limits = settings.session();
        SessionMetrics sessionMetrics = new SessionMetrics(node.incidents(), node.ledger(), node.tracing(), metrics);
        BucketLoops bucketLoops = new BucketLoops(eventLoops);
        ApplicationSessions applications =
                new ApplicationSessions(stores.applications(), stores.progress(), lease, metrics);
        this.persistent = new PersistentSessions(
                new Buckets(settings.bucketCount()),
                bucketLoops,
                settings.incarnation(),
                node.trie(),
                stores.clients(),
                stores.registry(),
                applications,
                node.memory(),
                limits.maximumPersistentPerOwner(),
                clock,
                node.incidents().events(),
                metrics);
        this.replica = new Replica(
                new SessionReplica(
                        stores.clients(), settings.bucketCount(), bucketLoops, persistent, node.trie(), onReplicaLost),
                new RetainedReplica(stores.retained(), node.retained(), routes.writers(), onReplicaLost, metrics),
                applications,
                persistent,
                onReplicaLost);
        this.rollbackDetector = new RollbackDetector(stores.queues(), positions, stores.buckets());
        this.connectedFeeds =
                new ConnectedFeeds(persistent, stores.queues(), positions, eventLoops.getFirst(), metrics);
        new PushReceiver(connectedFeeds, routes.pushes(), positions, clock, metrics).listen();
        this.bucketWriter = new BucketWriter(
                stores.queues(),
                new ClusterQueueSessions(
                        persistent,
                        connectedFeeds,
                        stores.registry(),
                        new PushSender(
                                routes.pushes(),
                                bucket -> bucketLoops.of(bucket).index(),
                                stores.queues(),
                                positions,
                                clock,
                                metrics)),
                positions,
                stores.messages(),
                settings.queueBounds(),
                settings.bucketReadAheadBytes(),
                clock,
                node.incidents(),
                metrics);
        Router router = new Router(node.trie());
        DirectDelivery direct = new DirectDelivery(
                eventLoops.size(), settings.handoverLimitBytes(), node.incidents(), node.ledger(), metrics);
        MessageNames names = settings.messageNames(eventLoops.size());
        PublishService publishService = new PublishService(
                node.retained(),
                router,
                new Dispatcher(direct, stores.messages(), positions, messages.forwarding(), names, metrics),
                stores.messages(),
                node.memory(),
                node.storage(),
                limits.topics(),
                node.incidents(),
                metrics);
        messages.receive(router, direct, new GroupRedispatch(publishService), names);
        this.wills = new Wills(persistent, publishService, limits.topics().rules(), clock, sessionMetrics);
        QueueRedelivery redelivery = new QueueRedelivery(
                persistent,
                publishService,
                stores.messages(),
                stores.queues(),
                stores.registry(),
                positions,
                rollbackDetector,
                clock,
                sessionMetrics);
        SessionFeeds feeds = new SessionFeeds(
                stores.queues(),
                settings.queueBounds(),
                stores.messages(),
                stores.registry(),
                positions,
                rollbackDetector,
                applications,
                eventLoops,
                settings.feedReadAheadBytes(),
                lease,
                settings.acknowledgementInterval(),
                metrics);
        SubscriptionEditor editor = new SubscriptionEditor(
                node.trie(), messages.interest(), node.memory(), limits.maximumSubscriptions(), node.incidents());
        this.ownRegistrar = new SessionRegistrar(
                persistent,
                feeds,
                redelivery,
                wills,
                routing.connections(this::closeConnection),
                editor,
                routing.settlement(),
                node.memory(),
                bucketLoops,
                clock,
                metrics);
        Registrar registrar = routing.registrar(ownRegistrar);
        SessionServices services = new SessionServices(
                node.blocked(),
                new SubscribeService(
                        node.trie(),
                        editor,
                        messages.interest(),
                        registrar,
                        node.admission(),
                        limits.maximumTopicLevels(),
                        limits.topics(),
                        sessionMetrics),
                publishService,
                node.retained(),
                replica.retained(),
                node.sys(),
                stores.messages(),
                persistent,
                wills,
                registrar,
                feeds,
                lease,
                node.memory(),
                clock,
                limits,
                sessionMetrics);
        this.sessions = new LocalSessions(services, eventLoops);
        RuleEnforcement.of(sessions, limits.topics().rules());
        this.connectService = new ConnectService(node.authentication(), sessions, services);
        this.housekeeping = new SessionHousekeeping(persistent, redelivery, wills);
        this.truncation = new BucketLogTruncation(
                stores.buckets(),
                positions,
                settings.bucketCount(),
                settings.truncation(),
                node.storage(),
                clock,
                metrics);
        this.messageAdministration = MessageAdministration.of(
                node,
                replica.retained(),
                publishService,
                stores.messages(),
                stores.queues(),
                persistent,
                ownRegistrar::seek,
                positions,
                lease,
                eventLoops);
    }

    /** Returns the contents of the logs in memory, regardless of the limits of this node. */
    public Replica replica() {
        return replica;
    }

    /**
     * Returns what takes and releases buckets. Called once, after {@link #replica} has begun to follow the logs.
     *
     * @param records of the membership
     * @param millis returns the time of day by which sessions expire
     */
    public BucketHolding holding(
            Membership membership,
            NodeRecords records,
            ProducerFencing fencing,
            LongSupplier millis,
            LongSupplier nanoTime) {
        return new BucketHolding(
                membership,
                records,
                new EndedNodes(records, fencing),
                new BucketHolding.Parts(
                        persistent.held(),
                        replica.sessions(),
                        persistent.holding(),
                        ownRegistrar,
                        routes.buckets(),
                        stores.buckets(),
                        positions,
                        persistent.epochs()),
                new KafkaClock(millis),
                nanoTime,
                node.metrics());
    }

    /** Logs the limits of this node that the contents of the logs exceed. */
    public void warnOfExceededLimits() {
        node.trie().exceededLimits().forEach(ExceededLimit::warn);
        node.retained().exceededLimits().forEach(ExceededLimit::warn);
        node.memory().exceededLimits().forEach(ExceededLimit::warn);
    }

    private void closeConnection(String incarnation, ClientId clientId, long epoch) {
        if (incarnation.equals(persistent.incarnation())) {
            sessions.close(clientId, epoch);
        }
    }

    public BucketWriter bucketWriter() {
        return bucketWriter;
    }

    public ConnectService connectService() {
        return connectService;
    }

    public LocalSessions sessions() {
        return sessions;
    }

    public MessageAdministration messageAdministration() {
        return messageAdministration;
    }

    public PersistentSessions persistentSessions() {
        return persistent;
    }

    /** Returns the registrar of the buckets of this node. */
    public SessionRegistrar registrar() {
        return ownRegistrar;
    }

    /** Returns the expiry of sessions and the wills whose delay has passed. */
    public SessionHousekeeping housekeeping() {
        return housekeeping;
    }

    public Wills wills() {
        return wills;
    }

    public RollbackDetector rollbackDetector() {
        return rollbackDetector;
    }

    /** The store of the queues answers again after an interruption: it may have lost recent writes. Any thread. */
    public void onQueuesReturned() {
        rollbackDetector.onStoreReturned();
        connectedFeeds.onStoreReturned();
    }

    public BucketLogTruncation truncation() {
        return truncation;
    }

    /** Goes through the whole state on the calling thread, which takes up to a second for a million sessions or messages. */
    public StateChecksums checksums() {
        SessionChecksums ofSessions = SessionChecksums.of(persistent.all());
        return new StateChecksums(
                ofSessions.sessions(),
                ofSessions.subscriptions(),
                node.retained().checksum());
    }

    /**
     * Removes expired retained messages from their log, if this node holds the bucket {@value #RETAINED_STEWARD_BUCKET}.
     */
    public void expireRetained(int maximumVisits) {
        if (persistent.held().isHeld(RETAINED_STEWARD_BUCKET)) {
            var _ = node.retained().expireSome(maximumVisits, stores.retained());
        }
    }
}

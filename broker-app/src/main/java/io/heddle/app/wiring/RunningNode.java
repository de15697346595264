package io.heddle.app.wiring;

import io.heddle.app.tls.NodeCertificates;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.lifecycle.Broker;
import io.heddle.core.lifecycle.ClusterNode;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.lifecycle.NodeStatus;
import io.heddle.core.lifecycle.StateChecksums;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.node.operation.CertificateStatus;
import io.heddle.core.node.operation.RebalancePlan;
import io.heddle.core.node.operation.Steadiness;
import io.heddle.core.operator.alert.ClusterAlerts;
import io.heddle.core.operator.bucket.BucketStates;
import io.heddle.core.operator.client.Clients;
import io.heddle.core.operator.explain.DeliveryExplanation;
import io.heddle.core.operator.history.ClusterHistory;
import io.heddle.core.operator.ledger.ClusterLedger;
import io.heddle.core.operator.message.MessageAdministration;
import io.heddle.core.operator.query.NodeAnswer;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.operator.refusal.RefusalPage;
import io.heddle.core.operator.refusal.RefusalQuery;
import io.heddle.core.operator.rule.RuleAdministration;
import io.heddle.core.operator.top.SlowClients;
import io.heddle.core.operator.top.Top;
import io.heddle.core.operator.top.TopicTree;
import io.heddle.core.operator.trace.ClusterTrace;
import io.heddle.core.operator.trace.RunningTrace;
import io.heddle.core.operator.trace.TraceRequest;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.sys.history.Range;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** This node for administrators. Thread-safe. */
final class RunningNode implements Node {
    private final String nodeId;
    private final String version;
    private final Broker broker;
    private final MqttListeners listeners;
    private final CoreStartup startup;
    private final SubscriptionTrie trie;
    private final ClusterStartup cluster;
    private final ClusterOperations operations;
    private final NodeCertificates certificates;
    private final Runnable drain;
    private final long startedNanos = System.nanoTime();
    private final Instant startedAt;

    RunningNode(
            String nodeId,
            String version,
            Broker broker,
            MqttListeners listeners,
            CoreStartup startup,
            SubscriptionTrie trie,
            ClusterStartup cluster,
            ClusterOperations operations,
            NodeCertificates certificates,
            Runnable drain,
            Clock clock) {
        this.nodeId = nodeId;
        this.version = version;
        this.broker = broker;
        this.listeners = listeners;
        this.startup = startup;
        this.trie = trie;
        this.cluster = cluster;
        this.operations = operations;
        this.certificates = certificates;
        this.drain = drain;
        this.startedAt = clock.instant();
    }

    @Override
    public NodeStatus status() {
        LocalSessions connected = startup.sessions();
        return new NodeStatus(
                nodeId,
                version,
                broker.state(),
                cluster.role().role(),
                startedAt,
                Duration.ofNanos(System.nanoTime() - startedNanos),
                List.copyOf(listeners.urls().values()),
                connected == null ? 0 : connected.connectedCount(),
                trie.size());
    }

    @Override
    public List<ClusterNode> cluster() {
        return operations.members();
    }

    @Override
    public @Nullable StateChecksums checksums() {
        return startup.checksums();
    }

    @Override
    public Steadiness steadiness() {
        return operations.steadiness();
    }

    @Override
    public RebalancePlan rebalance() {
        return operations.rebalance();
    }

    @Override
    public List<CertificateStatus> reloadCertificates() {
        return certificates.reload();
    }

    @Override
    public void drain() {
        drain.run();
    }

    @Override
    public boolean drain(String nodeId) {
        NodeQuestions questions = cluster.nodeQuestions();
        for (Map.Entry<Incarnation, NodeId> each : questions.members().entrySet()) {
            if (each.getValue().value().equals(nodeId)) {
                NodeAnswer answer = questions
                        .ask(each.getKey(), QuestionKind.DRAIN, new byte[0])
                        .join();
                if (answer.outcome() != NodeAnswer.Outcome.ANSWERED) {
                    throw new StoreUnavailableException("the node to drain has not answered: " + answer, null);
                }
                return true;
            }
        }
        return false;
    }

    @Override
    public Clients clients() {
        return startup.administration().clients();
    }

    @Override
    public MessageAdministration messages() {
        return startup.administration().messages();
    }

    @Override
    public RuleAdministration rules() {
        return startup.administration().rules();
    }

    @Override
    public BucketStates buckets() {
        return startup.administration().buckets().all();
    }

    @Override
    public RefusalPage refusals(RefusalQuery query) {
        return startup.administration().refusals().find(query);
    }

    @Override
    public DeliveryExplanation explain(ClientId clientId, TopicName topic, QoS published, @Nullable Instant since) {
        return startup.administration().explainer().explain(clientId, topic, published, since);
    }

    @Override
    public ClusterHistory history(Range range, Set<String> figures) {
        return startup.administration().history().find(range, figures);
    }

    @Override
    public ClusterLedger ledger() {
        return startup.administration().ledger().find();
    }

    @Override
    public Top top() {
        return startup.administration().top().find();
    }

    @Override
    public TopicTree topics(int limit) {
        return startup.administration().top().topics(limit);
    }

    @Override
    public SlowClients slowClients(int limit) {
        return startup.administration().top().findSlow(limit);
    }

    @Override
    public ClusterAlerts alerts() {
        return startup.administration().alerts().find();
    }

    @Override
    public ClusterTrace trace(TraceRequest request) {
        return startup.administration().tracer().begin(request);
    }

    @Override
    public List<RunningTrace> traces() {
        return startup.administration().tracer().running();
    }

    @Override
    public void endTrace(UUID id, String administrator) {
        startup.administration().tracer().end(id, administrator);
    }
}

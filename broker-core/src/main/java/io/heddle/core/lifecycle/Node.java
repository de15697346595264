package io.heddle.core.lifecycle;

import io.heddle.core.client.ClientId;
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
import io.heddle.core.operator.refusal.RefusalPage;
import io.heddle.core.operator.refusal.RefusalQuery;
import io.heddle.core.operator.rule.RuleAdministration;
import io.heddle.core.operator.top.SlowClients;
import io.heddle.core.operator.top.Top;
import io.heddle.core.operator.top.TopicTree;
import io.heddle.core.operator.trace.ClusterTrace;
import io.heddle.core.operator.trace.RunningTrace;
import io.heddle.core.operator.trace.TraceRequest;
import io.heddle.core.sys.history.Range;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * This node of the cluster, as the REST interface shows and stops it, and what administrators see and change through it. Implemented by the
 * application.
 */
public interface Node {
    /** Returns the current status. Does not block; any thread. */
    NodeStatus status();

    /**
     * Returns the members of the cluster in the order in which they joined; none before this node has joined. Does not block; any thread.
     */
    List<ClusterNode> cluster();

    /**
     * Returns the checksums of the state of this node, or null while it does not serve. Takes up to a second for a million sessions; on a thread
     * that may be busy so long.
     */
    @Nullable
    StateChecksums checksums();

    /** Returns whether the cluster is steady. Does not block; any thread. */
    Steadiness steadiness();

    /**
     * Orders the serving nodes that have more than their share of the connections to close some. Returns at once what they are about to do;
     * any thread.
     */
    RebalancePlan rebalance();

    /**
     * Reads the certificates of all listeners again and uses them for new connections. Blocks while it reads files; not on an event loop.
     *
     * @return the certificates in use
     * @throws StartupException if a file cannot be used, with a sentence for the operator; then nothing has changed
     */
    List<CertificateStatus> reloadCertificates();

    /** Begins to drain and stop this node and its process, as at SIGTERM. Returns at once; any thread. */
    void drain();

    /**
     * Begins to drain and stop a member of the cluster, this node included. Blocks for some seconds at most.
     *
     * @return whether there is a serving or draining member with this id
     * @throws io.heddle.core.StoreUnavailableException if the member has not answered; it may drain
     */
    boolean drain(String nodeId);

    /**
     * Returns the clients of all nodes. Does not block; any thread.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    Clients clients();

    /**
     * Returns the administration of messages. Does not block; any thread.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    MessageAdministration messages();

    /**
     * Returns the administration of the rules for topics. Does not block; any thread.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    RuleAdministration rules();

    /**
     * Returns all buckets of the cluster. Asks all nodes; blocks, so not on an event loop.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves and Kafka answers
     */
    BucketStates buckets();

    /**
     * Returns a page of the refusals of all nodes; blocks, so not on an event loop.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    RefusalPage refusals(RefusalQuery query);

    /**
     * Explains what becomes of a message for a client. Asks all nodes; blocks, so not on an event loop.
     *
     * @param published the QoS with which the message is published
     * @param since explains what became of earlier messages, too, from this time on; null for not at all
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    DeliveryExplanation explain(ClientId clientId, TopicName topic, QoS published, @Nullable Instant since);

    /**
     * Returns the clients and topics with the most activity. Asks all nodes; blocks, so not on an event loop.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    Top top();

    /**
     * Returns the topics with the most messages as a tree. Asks all nodes; blocks, so not on an event loop.
     *
     * @param limit the highest number of topics
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    TopicTree topics(int limit);

    /**
     * Returns the connected clients for which most messages wait. Asks all nodes; blocks, so not on an event loop.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    SlowClients slowClients(int limit);

    /**
     * Returns figures of all nodes during the last hour or day. Asks all nodes; blocks, so not on an event loop.
     *
     * @param figures the names of figures; all if it is empty
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    ClusterHistory history(Range range, Set<String> figures);

    /**
     * Returns what the accounts of all nodes show. Asks all nodes; blocks, so not on an event loop.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    ClusterLedger ledger();

    /**
     * Returns the alerts that fire at all nodes. Asks all nodes; blocks, so not on an event loop.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    ClusterAlerts alerts();

    /**
     * Begins a trace on all nodes, which the caller closes. Blocks, so not on an event loop.
     *
     * @throws io.heddle.core.operator.trace.TooManyTracesException if a node, or the administrator, has its maximum of traces
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    ClusterTrace trace(TraceRequest request);

    /**
     * Returns the traces of all administrators that run, the oldest first. Does not block; any thread.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    List<RunningTrace> traces();

    /**
     * Ends a trace on all nodes, if it runs. Does not block; any thread.
     *
     * @param administrator who ends it
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    void endTrace(UUID id, String administrator);
}

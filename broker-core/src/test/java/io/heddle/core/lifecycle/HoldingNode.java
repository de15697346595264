package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.ClientIdPattern;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.link.NoLinks;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.node.ClusterRoutes;
import io.heddle.core.node.NodeResources;
import io.heddle.core.node.NodeRoutes;
import io.heddle.core.session.BucketPump;
import io.heddle.core.session.ClientConnection;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.session.TestParts;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.ConnectedClients;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.LeaveOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import io.heddle.core.session.registrar.remote.RegistrarRouting;
import io.heddle.core.session.registrar.settlement.Settlement;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.InMemoryNodeLog;
import io.heddle.core.testkit.RecordingConnection;
import io.heddle.core.testkit.SettledAtOnce;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A node of the {@link HoldingCluster}, on one event loop that the test drives. */
final class HoldingNode extends TestParts {
    private final HoldingCluster cluster;
    final InMemoryNodeLog.OfNode nodeLog;
    final Membership membership;
    final BrokerCore core;
    final BucketHolding holding;
    private final BucketPositions positions;
    private final BucketPump buckets;
    // Requests that were answered with Moved, or had no holder.
    private final Queue<Runnable> moved = new ArrayDeque<>();
    private boolean woken;
    /** The node takes no step of taking or releasing buckets. */
    boolean isHoldingPaused;

    HoldingNode(HoldingCluster cluster, int number) {
        super(cluster.clock(), TestNode.SUBSCRIPTION_LIMITS, TestNode.RETAINED_LIMITS, 10_000_000);
        this.cluster = cluster;
        authenticator = new AnonymousAuthenticator(
                new InMemoryCredentialsStore(), _ -> true, List.of(new ClientIdPattern("app*")));
        nodeLog = cluster.nodeLog.node();
        MembershipSettings settings = new MembershipSettings(
                new NodeDescription(new NodeId("node-" + number), "", "process " + number, NodeDescription.FORMATS, 3),
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        membership = membership(nodeLog, settings, HoldingCluster.BUCKETS, _ -> {});
        NodeRecords records = new NodeRecords(nodeLog, membership);
        join(membership, number + 1);
        positions = new BucketPositions(HoldingCluster.BUCKETS, TestNode.LAG, clock, metrics);
        NodeResources resources = resources(null, metrics);
        // The requests of clients take the way of the test; nothing else leaves a node.
        NodeRoutes alone = new ClusterRoutes(
                        HoldingCluster.BUCKETS,
                        List.of(loop),
                        new NoLinks(),
                        RoutingLease.unlimited(),
                        resources,
                        loop::nanoTime)
                .routes();
        buckets = new BucketPump(cluster.bucketLog, HoldingCluster.BUCKETS);
        core = new BrokerCore(
                coreSettings(membership, HoldingCluster.BUCKETS, TestNode.SETTINGS),
                resources,
                List.of(loop),
                positions,
                RoutingLease.unlimited(),
                new StorePorts(
                        cluster.clientLog,
                        cluster.retainedLog,
                        cluster.progressLog,
                        new InMemoryMessageLog(
                                cluster.bucketLog,
                                positions,
                                cluster.applicationLogs,
                                cluster.retainedLog,
                                cluster.clientLog),
                        buckets,
                        cluster.applicationLogs,
                        cluster.queues,
                        cluster.queues),
                lost -> {
                    throw new AssertionError(lost);
                },
                new NodeRoutes(
                        new Routing(), alone.pushes(), alone.messages(), alone.writers(), cluster.announcements(this)));
        core.replica().follow();
        buckets.start(core.bucketWriter());
        holding = core.holding(membership, records, cluster.fencing, clock::millis, loop::nanoTime);
        holding.onProgress(() -> woken = true);
    }

    Incarnation me() {
        return membership.incarnation();
    }

    /** The buckets that the node holds in memory. */
    Set<Integer> held() {
        Set<Integer> held = new HashSet<>(core.persistentSessions().held().all());
        held.removeIf(bucket -> !core.persistentSessions().held().isHeld(bucket));
        return held;
    }

    PersistentSession session(ClientId clientId) {
        return Objects.requireNonNull(core.persistentSessions().find(clientId), () -> "the session of " + clientId);
    }

    /** A client after its CONNECT is answered, if it can be. */
    TestClient connect(Connect connect) {
        RecordingConnection connection = new RecordingConnection(loop);
        List<ClientConnection> established = new ArrayList<>();
        core.connectService().connect(connection, connect.packet(), _ -> {}, established::add);
        cluster.run();
        return new TestClient(connection, List.of(), established, cluster::run);
    }

    /** Connects the clients of the test with a subscription each. */
    List<TestClient> connectAll() {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < HoldingCluster.CLIENTS; i++) {
            TestClient client = connect(HoldingCluster.persistent(i));
            assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
            clients.add(client.subscribe(QoS.AT_LEAST_ONCE, "t/" + i));
        }
        return clients;
    }

    /** Runs everything that can run; returns the number of tasks. */
    int run() {
        if (!isHoldingPaused) {
            woken = false;
            holding.advance();
        }
        core.housekeeping().run(10);
        int ran = loop.runTasks() + buckets.apply() + (woken && !isHoldingPaused ? 1 : 0);
        if (ran == 0) {
            return repeatMoved();
        }
        return ran;
    }

    private int repeatMoved() {
        int repeated = 0;
        for (int i = moved.size(); i > 0; i--) {
            int before = moved.size();
            Objects.requireNonNull(moved.poll()).run();
            repeated += moved.size() < before ? 1 : 0;
        }
        return repeated;
    }

    /** Asks the node that holds a client's bucket, again after each Moved. */
    private final class Routing implements RegistrarRouting, Registrar {
        @Override
        public ConnectedClients connections(ConnectedClients own) {
            return cluster.connections();
        }

        @Override
        public Settlement settlement() {
            return SettledAtOnce.settlement();
        }

        @Override
        public Registrar registrar(Registrar own) {
            return this;
        }

        private <T> CompletionStage<T> ask(
                ClientId clientId, Function<Registrar, CompletionStage<T>> request, BiPredicate<Registrar, T> isMoved) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            ask(clientId, request, isMoved, answer);
            return answer;
        }

        private <T> void ask(
                ClientId clientId,
                Function<Registrar, CompletionStage<T>> request,
                BiPredicate<Registrar, T> isMoved,
                CompletableFuture<T> answer) {
            Registrar holder = cluster.registrar(HoldingNode.this, clientId);
            Runnable again = () -> ask(clientId, request, isMoved, answer);
            if (holder == null) {
                moved.add(again);
                return;
            }
            request.apply(holder).whenComplete((outcome, failure) -> {
                if (failure != null) {
                    answer.completeExceptionally(failure);
                } else if (isMoved.test(holder, outcome)) {
                    moved.add(again);
                } else {
                    answer.complete(outcome);
                }
            });
        }

        @Override
        public CompletionStage<OpenOutcome> open(OpenRequest request) {
            return ask(
                    request.identity().clientId(),
                    to -> to.open(request),
                    (_, answer) -> answer instanceof OpenOutcome.Moved);
        }

        @Override
        public CompletionStage<LeaveOutcome> leave(Departure departure) {
            return ask(departure.clientId(), to -> to.leave(departure), (_, answer) -> answer == LeaveOutcome.MOVED);
        }

        @Override
        public CompletionStage<ChangeOutcome> change(SubscriptionChange change) {
            return ask(
                    change.clientId(), to -> to.change(change), (_, answer) -> answer instanceof ChangeOutcome.Moved);
        }

        @Override
        public void absent(String node, ClientId clientId, long heldEpoch, long beforeEpoch) {
            throw new AssertionError("no node promises anything");
        }

        @Override
        public void announce(String node, int bucket, List<TransientClient> clients, boolean isLast) {}
    }

    @Nullable
    PersistentSession find(ClientId clientId) {
        return core.persistentSessions().find(clientId);
    }
}

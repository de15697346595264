package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.node.BucketListener;
import io.heddle.core.node.NodeRoutes;
import io.heddle.core.session.persistent.Epochs;
import io.heddle.core.session.persistent.TestReplica;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.ConnectedClients;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.LeaveOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import io.heddle.core.session.registrar.remote.ClusterRegistrar;
import io.heddle.core.session.registrar.remote.FollowedClients;
import io.heddle.core.session.registrar.remote.RegistrarRouting;
import io.heddle.core.session.registrar.settlement.Settlement;
import io.heddle.core.testkit.InMemoryLinks;
import io.heddle.core.testkit.SettledAtOnce;
import io.heddle.core.testkit.TestView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Some nodes over the same stores. The first one decides about all clients; requests and answers of the others cross links as bytes. */
final class TestCluster {
    static final int OWNER = 0;
    static final Duration ANNOUNCEMENT_LIMIT = Duration.ofSeconds(15);

    final TestStores stores = new TestStores();
    private final List<Node> nodes = new ArrayList<>();
    private final InMemoryLinks links = new InMemoryLinks(1, 1 << 20, 1 << 20);
    private final TestView log = new TestView(TestStores.BUCKETS);
    private boolean delaying;

    TestCluster(int size) {
        this(size, TestNode.SETTINGS);
    }

    TestCluster(int size, SessionSettings settings) {
        for (int i = 0; i < size; i++) {
            nodes.add(new Node(settings));
            log.join("node-" + i);
        }
        log.write(new Serving(nodes.get(OWNER).incarnation));
        take(OWNER);
    }

    private void take(int index) {
        Node holder = nodes.get(index);
        log.take(holder.incarnation);
        living().forEach(each -> each.registrar.onView(log.view()));
        // The holder follows the log to its end before it decides.
        holder.node.runAll();
        holder.hold();
        run();
    }

    TestNode node(int index) {
        return nodes.get(index).node;
    }

    TestNode owner() {
        return node(OWNER);
    }

    /** A client after its CONNECT is answered. */
    TestClient connect(int index, Connect connect) {
        TestClient client = begin(index, connect);
        run();
        return client;
    }

    /** A client that has sent CONNECT. */
    TestClient begin(int index, Connect connect) {
        TestNode node = node(index);
        TestClient client = node.begin(index % 2 == 0 ? node.loop : node.otherLoop, connect.packet());
        return new TestClient(client.connection(), client.exchanges(), client.established(), this::run);
    }

    /** Delivers frames, and runs all nodes, until all are idle. */
    void run() {
        do {
            nodes.forEach(Node::follow);
            living().forEach(each -> each.node.runAll());
        } while (!delaying && links.deliverOne());
    }

    private List<Node> living() {
        return nodes.stream().filter(each -> !each.isDead).toList();
    }

    /** Advances the clocks of all nodes together. */
    void advance(Duration duration) {
        living().forEach(each -> each.node.advance(duration));
        run();
    }

    /** Delivers one delayed frame. */
    void deliverOne() {
        nodes.forEach(Node::follow);
        links.deliverOne();
    }

    /** Delays all frames from now on. */
    void delayFrames() {
        delaying = true;
    }

    /** Delivers the delayed frames. */
    void deliverFrames() {
        delaying = false;
        run();
    }

    /** The owner learns that another node has ended. */
    void end(int index) {
        Incarnation ended = nodes.get(index).incarnation;
        log.kill(nodes.get(OWNER).incarnation, ended);
        nodes.get(OWNER).registrar.onView(log.view());
        owner().registrar.onNodeEnded(ended.toString());
        run();
    }

    /** The owner dies with the frames that it has sent. Another node takes its buckets, and the others read of it. */
    void takeOver(int index) {
        Node dead = nodes.get(OWNER);
        Node next = nodes.get(index);
        dead.isDead = true;
        nodes.forEach(each -> links.end(each.incarnation, dead.incarnation));
        log.kill(next.incarnation, dead.incarnation);
        log.write(new Serving(next.incarnation));
        next.follow();
        next.replica = null;
        next.node.applying(true);
        next.node
                .persistent
                .holding()
                .serve(
                        new Buckets(TestStores.BUCKETS).all(),
                        name -> living().stream()
                                .anyMatch(each -> each.incarnation.toString().equals(name)));
        next.node.registrar.onNodeEnded(dead.incarnation.toString());
        take(index);
    }

    /** The owner takes the connections of another node for lost, although the node is a member. */
    void lose(int index) {
        owner().registrar.onNodeEnded(nodes.get(index).incarnation.toString());
        run();
    }

    /** One node with its links. */
    private final class Node implements RegistrarRouting, FollowedClients, BucketListener {
        private final TestNode node;
        private final Incarnation incarnation;
        private final ClusterRegistrar registrar;
        private boolean isDead;
        private @Nullable TestReplica replica;
        private @Nullable ConnectedClients connections;
        private @Nullable Registrar deciding;

        Node(SessionSettings settings) {
            // The number of the node in its stores.
            incarnation = new Incarnation(nodes.size(), 0);
            node = new TestNode(
                    settings,
                    stores,
                    (_, _, alone) -> new NodeRoutes(this, alone.pushes(), alone.messages(), alone.writers(), this));
            registrar = new ClusterRegistrar(
                    incarnation,
                    new Buckets(TestStores.BUCKETS),
                    new BucketLoops(List.of(node.loop, node.otherLoop)),
                    links.node(incarnation),
                    node.registrar,
                    Objects.requireNonNull(connections),
                    this,
                    node.metrics);
            links.node(incarnation).receive(0x10, 0x10, (from, _, _, frame) -> registrar.onFrame(from, frame));
            nodes.forEach(each -> links.connect(incarnation, each.incarnation));
            if (!nodes.isEmpty()) {
                // Only the owner of a bucket applies its log.
                node.applying(false);
                replica = new TestReplica(stores.clientLog, node.persistent, node.trie);
            }
        }

        void hold() {
            Set<String> announcing =
                    living().stream().map(each -> each.incarnation.toString()).collect(Collectors.toSet());
            node.registrar.openBuckets(new Buckets(TestStores.BUCKETS).all(), announcing, ANNOUNCEMENT_LIMIT);
            for (int bucket = 0; bucket < TestStores.BUCKETS; bucket++) {
                registrar.hold(
                        bucket,
                        log.view().heldSince(bucket),
                        node.persistent.epochs().next());
            }
        }

        void follow() {
            if (replica != null) {
                replica.follow();
            }
        }

        @Override
        public ConnectedClients connections(ConnectedClients own) {
            connections = own;
            return (client, clientId, epoch) -> registrar().close(client, clientId, epoch);
        }

        private ClusterRegistrar registrar() {
            return registrar;
        }

        @Override
        public Settlement settlement() {
            return SettledAtOnce.settlement();
        }

        @Override
        public Registrar registrar(Registrar own) {
            deciding = own;
            return new Registrar() {
                @Override
                public CompletionStage<OpenOutcome> open(OpenRequest request) {
                    return registrar().open(request);
                }

                @Override
                public CompletionStage<OpenOutcome> open(OpenRequest request, BooleanSupplier isLost) {
                    return registrar().open(request, isLost);
                }

                @Override
                public CompletionStage<LeaveOutcome> leave(Departure departure) {
                    return registrar().leave(departure);
                }

                @Override
                public CompletionStage<ChangeOutcome> change(SubscriptionChange change) {
                    return registrar().change(change);
                }

                @Override
                public void announce(String node, int bucket, List<TransientClient> clients, boolean isLast) {
                    own.announce(node, bucket, clients, isLast);
                }

                @Override
                public void absent(String node, ClientId clientId, long heldEpoch, long beforeEpoch) {
                    own.absent(node, clientId, heldEpoch, beforeEpoch);
                }
            };
        }

        // The test tells which node holds the buckets.

        @Override
        public void onRead(int bucket, long next) {}

        @Override
        public void onHeld(int bucket, long took, Epochs epochs) {
            // No node has a client yet.
            Objects.requireNonNull(deciding).announce(incarnation.toString(), bucket, List.of(), true);
        }

        @Override
        public void onReleasing(int bucket) {}

        @Override
        public long committed(int bucket) {
            return -1;
        }

        @Override
        public CompletionStage<Void> whenApplied(int bucket, long offset) {
            return CompletableFuture.completedStage(null);
        }
    }
}

package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.View;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.node.BucketListener;
import io.heddle.core.session.Connect;
import io.heddle.core.session.persistent.Epochs;
import io.heddle.core.session.registrar.ConnectedClients;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.testkit.InMemoryApplicationLogs;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryChangeLog;
import io.heddle.core.testkit.InMemoryClientLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryNodeLog;
import io.heddle.core.testkit.InMemoryProducerFencing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Nodes over the same stores that all serve. A test drives them; requests go to the node that holds the client's bucket. */
final class HoldingCluster {
    static final int BUCKETS = 8;
    /** The number of clients of a test. */
    static final int CLIENTS = 4;

    InMemoryNodeLog nodeLog = new InMemoryNodeLog(this::now);
    final InMemoryProducerFencing fencing = new InMemoryProducerFencing();
    final InMemoryBucketLog bucketLog = new InMemoryBucketLog(BUCKETS);
    final InMemoryDeviceQueues queues = new InMemoryDeviceQueues();
    final InMemoryClientLog clientLog = new InMemoryClientLog();
    final InMemoryChangeLog<TopicName, PublishMessage> retainedLog = new InMemoryChangeLog<>();
    final InMemoryChangeLog<ProgressKey, Progress> progressLog = new InMemoryChangeLog<>();
    final InMemoryApplicationLogs applicationLogs = new InMemoryApplicationLogs(BUCKETS);
    private final List<HoldingNode> nodes = new ArrayList<>();
    private Instant now = Instant.ofEpochMilli(1_000_000_000L);

    private Instant now() {
        return now;
    }

    InstantSource clock() {
        return this::now;
    }

    static ClientId client(int number) {
        return new ClientId("client-" + number);
    }

    static Connect persistent(int number) {
        return new Connect(client(number).value()).persistent(100).cleanStart(false);
    }

    /** All nodes know the same sessions and subscriptions. */
    static void assertSameState(HoldingNode... nodes) {
        for (HoldingNode node : nodes) {
            assertThat(node.trie.size()).isEqualTo(nodes[0].trie.size());
            for (int i = 0; i < CLIENTS; i++) {
                assertThat(node.session(client(i)).record())
                        .isEqualTo(nodes[0].session(client(i)).record());
                assertThat(node.session(client(i)).subscriptions().keySet())
                        .isEqualTo(nodes[0].session(client(i)).subscriptions().keySet());
            }
        }
    }

    /** Adds a node that serves. */
    HoldingNode start() {
        HoldingNode node = join();
        write(new NodeRecord.Serving(node.me()));
        run();
        return node;
    }

    /** Adds a node that has joined. */
    HoldingNode join() {
        HoldingNode node = new HoldingNode(this, nodes.size());
        nodes.add(node);
        run();
        return node;
    }

    void write(NodeRecord record) {
        nodeLog.node().append(record).toCompletableFuture().join();
    }

    /** Stops a node as kill -9 does, and declares it dead. */
    void kill(HoldingNode node) {
        stop(node);
        declareDead(node);
        run();
    }

    /** Stops a node as kill -9 does. */
    void stop(HoldingNode node) {
        nodes.remove(node);
    }

    /** Stops all nodes as kill -9 does, and loses the log of nodes, as a restore of a backup does. */
    void loseNodes() {
        nodes.clear();
        nodeLog = new InMemoryNodeLog(this::now);
    }

    /** Lets another node declare this one dead. */
    void declareDead(HoldingNode node) {
        HoldingNode other = nodes.getFirst();
        View view = other.membership.view();
        long last = Objects.requireNonNull(view.member(node.me())).lastRecord();
        write(new Dead(other.me(), node.me(), last));
    }

    /** Runs all nodes until they are idle. */
    void run() {
        int ran;
        do {
            ran = 0;
            for (HoldingNode node : List.copyOf(nodes)) {
                ran += node.run();
            }
        } while (ran > 0);
    }

    /** Advances the clocks of all nodes. */
    void advance(Duration time) {
        now = now.plus(time);
        for (HoldingNode node : List.copyOf(nodes)) {
            node.loop.advance(time);
        }
        run();
    }

    /** The rightful share of each node is what it holds, in the log and in memory. */
    boolean isDivided() {
        Set<Integer> all = new TreeSet<>();
        for (HoldingNode node : nodes) {
            View view = node.membership.view();
            Set<Integer> held = view.heldBy(node.me());
            if (!held.equals(view.ownedBy(node.me())) || !held.equals(node.held())) {
                return false;
            }
            all.addAll(held);
        }
        return all.size() == BUCKETS;
    }

    /** The node that holds the bucket of a client in memory, or null. */
    @Nullable
    HoldingNode holder(ClientId clientId) {
        HoldingNode found = null;
        for (HoldingNode node : nodes) {
            if (node.held().contains(node.core.persistentSessions().bucket(clientId))) {
                if (found != null) {
                    throw new AssertionError("two nodes hold the bucket of " + clientId);
                }
                found = node;
            }
        }
        return found;
    }

    /** The registrar that the log of nodes names. */
    @Nullable
    Registrar registrar(HoldingNode asking, ClientId clientId) {
        int bucket = asking.core.persistentSessions().bucket(clientId);
        Incarnation holder = asking.membership.view().holder(bucket);
        for (HoldingNode node : nodes) {
            if (node.me().equals(holder)) {
                return node.core.registrar();
            }
        }
        return null;
    }

    /** Tells the holder of a bucket that the nodes have no clients without persistent sessions. */
    BucketListener announcements(HoldingNode holder) {
        return new BucketListener() {
            @Override
            public void onRead(int bucket, long next) {}

            @Override
            public void onHeld(int bucket, long took, Epochs epochs) {
                nodes.forEach(node -> holder.core.registrar().announce(node.me().toString(), bucket, List.of(), true));
            }

            @Override
            public void onReleasing(int bucket) {}
        };
    }

    ConnectedClients connections() {
        return (name, clientId, epoch) -> {
            for (HoldingNode node : List.copyOf(nodes)) {
                if (node.me().toString().equals(name)) {
                    node.core.sessions().close(clientId, epoch);
                }
            }
        };
    }
}

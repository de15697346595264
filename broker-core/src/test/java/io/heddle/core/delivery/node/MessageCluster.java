package io.heddle.core.delivery.node;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.node.ClusterMessages;
import io.heddle.core.node.NodeRoutes;
import io.heddle.core.retained.OtherWriters;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.session.TestStores;
import io.heddle.core.testkit.InMemoryLinks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Some nodes with stores of their own, which exchange interest and messages as bytes over links in memory. */
final class MessageCluster {
    /** The bound of the data frames that a node has not acknowledged. */
    static final int LINK_BYTES = 20_000;

    private static final int DATA_LANES = 2;
    private static final int PAYLOAD_BYTES = 100_000;

    final InMemoryLinks links = new InMemoryLinks(DATA_LANES, PAYLOAD_BYTES, LINK_BYTES);
    private final List<Incarnation> incarnations = new ArrayList<>();
    private final List<TestNode> nodes = new ArrayList<>();
    private final Map<Integer, ClusterMessages> messages = new HashMap<>();
    private final Set<Incarnation> ended = new HashSet<>();
    private final List<Integer> killed = new ArrayList<>();

    MessageCluster(int size) {
        for (int i = 0; i < size; i++) {
            add();
        }
    }

    /** Starts one more node, which joins. Returns its index. */
    int add() {
        return add(new TestStores());
    }

    int add(TestStores stores) {
        int index = prepare(stores);
        for (int i = 0; i < index; i++) {
            if (!killed.contains(i)) {
                meet(i, index);
            }
        }
        nodes.forEach(TestNode::runAll);
        run();
        return index;
    }

    /** Starts one more node, which knows no other one. */
    int prepare(TestStores stores) {
        int index = nodes.size();
        Incarnation incarnation = new Incarnation(index, 0);
        incarnations.add(incarnation);
        nodes.add(new TestNode(TestNode.SETTINGS, stores, (loops, resources, alone) -> {
            ClusterMessages created = new ClusterMessages(loops, links.node(incarnation), resources);
            messages.put(index, created);
            return new NodeRoutes(
                    alone.registrar(), alone.pushes(), created, () -> OtherWriters.PRESENT, alone.buckets());
        }));
        return index;
    }

    /** Two nodes read that the other one has joined. */
    void meet(int one, int other) {
        links.connect(incarnation(one), incarnation(other));
        readView(one);
        readView(other);
    }

    /** A node reads who is a member now. */
    void readView(int reader) {
        messages(reader)
                .onMembers(incarnations.stream()
                        .filter(each -> !each.equals(incarnation(reader)) && !ended.contains(each))
                        .toList());
    }

    ClusterMessages messages(int index) {
        return Objects.requireNonNull(messages.get(index));
    }

    TestNode node(int index) {
        return nodes.get(index);
    }

    Incarnation incarnation(int index) {
        return incarnations.get(index);
    }

    /** A client on the first event loop of a node. */
    TestClient connect(int index, String clientId) {
        return connect(index, new Connect(clientId));
    }

    TestClient connect(int index, Connect connect) {
        TestNode node = node(index);
        TestClient client = node.begin(node.loop, connect.packet());
        run();
        return new TestClient(client.connection(), client.exchanges(), client.established(), this::run);
    }

    /** Frames from a node to another one wait from now on. */
    void cut(int from, int to) {
        links.cut(incarnation(from), incarnation(to));
    }

    void heal(int from, int to) {
        links.heal(incarnation(from), incarnation(to));
        run();
    }

    /** A node stops without a word; the others do not know yet. */
    void kill(int index) {
        killed.add(index);
        for (int i = 0; i < nodes.size(); i++) {
            if (i != index) {
                cut(i, index);
                cut(index, i);
            }
        }
    }

    /** All other nodes read that a node has ended. */
    void end(int index) {
        ended.add(incarnation(index));
        for (int i = 0; i < nodes.size(); i++) {
            if (!killed.contains(i)) {
                links.end(incarnation(i), incarnation(index));
                readView(i);
            }
        }
        run();
    }

    /** Delivers frames and runs all living nodes until all are idle. */
    void run() {
        do {
            runNodes();
        } while (links.deliver() > 0);
        runNodes();
    }

    private void runNodes() {
        for (int i = 0; i < nodes.size(); i++) {
            if (!killed.contains(i)) {
                nodes.get(i).runAll();
            }
        }
    }

    /** Advances the clocks of all living nodes together, in steps of 5 ms. */
    void advance(Duration duration) {
        Duration step = Duration.ofMillis(5);
        for (Duration done = Duration.ZERO; done.compareTo(duration) < 0; done = done.plus(step)) {
            for (int i = 0; i < nodes.size(); i++) {
                if (!killed.contains(i)) {
                    nodes.get(i).advance(step);
                }
            }
            run();
        }
    }

    boolean isInStep(int index) {
        CompletableFuture<Void> inStep = messages(index).whenInStep().toCompletableFuture();
        run();
        return inStep.isDone();
    }

    double dropped(int index, String reason) {
        return node(index).dropped(reason);
    }
}

package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.session.persistent.TestReplica;
import io.heddle.core.session.registrar.ConnectedClients;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.RegistrarRouting;
import io.heddle.core.session.registrar.Settlement;
import io.heddle.core.session.registrar.remote.RegistrarPeer;
import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Some nodes over the same stores. The first one decides about all clients; requests and answers of the others cross lanes as bytes. */
final class TestCluster {
    static final int OWNER = 0;

    final TestStores stores = new TestStores();
    private final ManualEventLoop timers = new ManualEventLoop(0);
    private final List<Node> nodes = new ArrayList<>();
    private final Queue<Runnable> frames = new ArrayDeque<>();
    private final Queue<Runnable> delayed = new ArrayDeque<>();
    private boolean delaying;

    TestCluster(int size) {
        this(size, TestNode.SETTINGS);
    }

    TestCluster(int size, SessionSettings settings) {
        for (int i = 0; i < size; i++) {
            nodes.add(new Node(i, settings));
        }
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
        return new TestClient(client.connection(), client.established(), this::run);
    }

    /** Delivers frames, and runs all nodes, until all are idle. */
    void run() {
        Runnable frame;
        do {
            nodes.forEach(each -> each.node.runAll());
            frame = frames.poll();
            if (frame != null) {
                frame.run();
            }
        } while (frame != null);
        nodes.forEach(each -> each.node.runAll());
    }

    /** Advances the clocks of all nodes together. */
    void advance(Duration duration) {
        timers.advance(duration);
        nodes.forEach(each -> each.node.advance(duration));
        run();
    }

    /** Delays the frames that nodes send from now on. */
    void delayFrames() {
        delaying = true;
    }

    /** Delivers the delayed frames. */
    void deliverFrames() {
        delaying = false;
        frames.addAll(delayed);
        delayed.clear();
        run();
    }

    /** The owner learns that another node has ended. */
    void end(int index) {
        owner().registrar.onNodeEnded(node(index).persistent.incarnation());
        run();
    }

    private void send(Runnable delivery) {
        (delaying ? delayed : frames).add(delivery);
    }

    /** One node with its lanes. */
    private final class Node implements RegistrarRouting {
        private final int index;
        private final TestNode node;
        private final @Nullable TestReplica replica;
        // By the incarnation; only the owner has several.
        private final Map<String, RegistrarPeer> peers = new HashMap<>();
        private @Nullable ConnectedClients connections;

        Node(int index, SessionSettings settings) {
            this.index = index;
            this.node = new TestNode(settings, 1_000_000, stores, this);
            this.replica = index == OWNER ? null : new TestReplica(stores.clientLog, node.persistent, node.trie);
            if (index != OWNER) {
                // Only the owner of a bucket applies its log.
                node.applying(false);
                Node owner = nodes.get(OWNER);
                owner.peers.put(node.persistent.incarnation(), owner.peer(this, owner.node.registrar));
            }
        }

        private RegistrarPeer peer(Node to, Registrar own) {
            return new RegistrarPeer(
                    frame -> {
                        send(() -> to.receive(this, frame));
                        return true;
                    },
                    own,
                    (clientId, epoch) ->
                            Objects.requireNonNull(connections).close(node.persistent.incarnation(), clientId, epoch),
                    timers);
        }

        private void receive(Node from, byte[] frame) {
            if (replica != null) {
                replica.follow();
            }
            String peer = index == OWNER ? from.node.persistent.incarnation() : "owner";
            Objects.requireNonNull(peers.get(peer)).onFrame(frame);
        }

        @Override
        public ConnectedClients connections(ConnectedClients own) {
            connections = own;
            return this::close;
        }

        private void close(String incarnation, ClientId clientId, long epoch) {
            RegistrarPeer peer = peers.get(incarnation);
            if (peer == null) {
                Objects.requireNonNull(connections).close(incarnation, clientId, epoch);
            } else {
                peer.close(clientId, epoch);
            }
        }

        @Override
        public boolean registersTransientClients() {
            return true;
        }

        @Override
        public Settlement settlement() {
            return Settlement.OF_ONE_NODE;
        }

        @Override
        public Registrar registrar(Registrar own) {
            if (index == OWNER) {
                return own;
            }
            RegistrarPeer owner = peer(nodes.get(OWNER), own);
            peers.put("owner", owner);
            return owner;
        }
    }
}

package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord.Draining;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.testkit.InMemoryLinks;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.TestView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** Three nodes with one bucket, of which A holds it first; their registrars are answered by the test. */
final class RegistrarNodes {
    static final ClientId CLIENT = new ClientId("c");
    static final long FIRST_EPOCH = 1_000;

    final TestView log = new TestView(1);
    final InMemoryLinks links = new InMemoryLinks(1, 1 << 16, 1 << 20);
    final List<Node> nodes = new ArrayList<>();
    final Node a = new Node("a");
    final Node b = new Node("b");
    final Node c = new Node("c");

    RegistrarNodes() {
        links.connect(a.incarnation, b.incarnation);
        links.connect(a.incarnation, c.incarnation);
        links.connect(b.incarnation, c.incarnation);
        log.write(new Serving(a.incarnation));
        log.take(a.incarnation);
        nodes.forEach(Node::read);
        a.hold();
        run();
    }

    static OpenOutcome.Opened opened(long epoch) {
        return new OpenOutcome.Opened(
                7,
                new Registration(7, epoch, "", 0, 1, 1, 0, new TreeMap<>(), List.of(), new BucketPosition(0, 0)),
                null,
                false);
    }

    static Departure departure(long epoch) {
        return new Departure(CLIENT, 7, epoch, 0, 60, null);
    }

    /** One node. */
    final class Node implements FollowedClients {
        final Incarnation incarnation;
        final ManualEventLoop loop = new ManualEventLoop(0);
        final RecordingRegistrar own = new RecordingRegistrar();
        final List<String> closed = new ArrayList<>();
        final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        final ClusterRegistrar registrar;
        CompletableFuture<Void> applied = CompletableFuture.completedFuture(null);

        Node(String id) {
            incarnation = log.join(id);
            registrar = new ClusterRegistrar(
                    incarnation,
                    new Buckets(1),
                    new BucketLoops(List.of(loop)),
                    links.node(incarnation),
                    own,
                    (_, clientId, epoch) -> closed.add(clientId.value() + " " + epoch),
                    this,
                    metrics);
            links.node(incarnation).receive(0x10, 0x10, (from, _, _, frame) -> registrar.onFrame(from, frame));
            nodes.add(this);
        }

        /** Reads the log of nodes to its end. */
        void read() {
            registrar.onView(log.view());
        }

        /** The registrar of this node decides about the bucket. */
        void hold() {
            registrar.hold(0, log.view().heldSince(0), FIRST_EPOCH);
        }

        CompletableFuture<OpenOutcome> open(String clientId) {
            return open(clientId, () -> false);
        }

        CompletableFuture<OpenOutcome> open(String clientId, BooleanSupplier isLost) {
            OpenRequest request = new OpenRequest(
                    new ClientIdentity(new ClientId(clientId), ClientType.DEVICE, "user"),
                    null,
                    false,
                    60,
                    null,
                    incarnation.toString(),
                    0);
            return registrar.open(request, isLost).toCompletableFuture();
        }

        double count(String name) {
            return metrics.get(name).counter().count();
        }

        @Override
        public long committed(int bucket) {
            return 17;
        }

        @Override
        public CompletionStage<Void> whenApplied(int bucket, long offset) {
            return applied;
        }
    }

    /** Runs all nodes and delivers all frames. */
    void run() {
        int ran;
        do {
            ran = links.deliver();
            for (Node each : nodes) {
                ran += each.loop.runTasks();
            }
        } while (ran > 0);
    }

    void advance(Duration time) {
        run();
        nodes.forEach(each -> each.loop.advance(time));
        run();
    }

    /** A node dies, and its frames with it; the others have not read of it. */
    void kill(Node dead) {
        nodes.remove(dead);
        for (Node each : nodes) {
            links.end(each.incarnation, dead.incarnation);
        }
        log.kill(nodes.getFirst().incarnation, dead.incarnation);
        run();
    }

    /** A node takes the bucket, which is free. The others have not read of it. */
    void take(Node next) {
        log.write(new Serving(next.incarnation));
        log.take(next.incarnation);
        next.read();
        next.hold();
        run();
    }

    /** A node gives the bucket back in order. The others have not read of it. */
    void release(Node holder) {
        holder.registrar.release(0);
        log.write(new Draining(holder.incarnation));
        log.release(holder.incarnation);
        holder.read();
    }

    /** All nodes read the log of nodes to its end. */
    void readAll() {
        nodes.forEach(Node::read);
        run();
    }
}

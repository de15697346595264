package io.heddle.transport.link;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.View;
import io.heddle.transport.listener.EventLoops;
import io.heddle.transport.listener.Transport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Nodes with links over loopback, and the view that they read. One test thread. */
final class LinkedNodes implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int RANDOM = 7;

    private final EventLoops loops = new EventLoops(Transport.AUTO, 2);
    private final LinkSettings settings;
    private final List<Node> nodes = new ArrayList<>();
    private View view = View.atBeginning(0, 1);
    private long next;

    /** One run of a node. */
    static final class Node {
        final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        final LinkIdentity identity;
        final Links links;
        final int port;
        final Incarnation incarnation;
        /** The proxy that the others connect to. */
        final BreakingProxy proxy;

        private Node(EventLoops loops, LinkSettings settings, Incarnation incarnation) throws Exception {
            this.identity = LinkIdentity.create(new SecureRandom());
            this.links = new Links(loops, settings, identity, registry);
            this.port = links.start(InetAddress.getLoopbackAddress(), 0, 0);
            this.incarnation = incarnation;
            this.proxy = new BreakingProxy(port);
        }

        double count(String counter) {
            return registry.get(counter).counter().count();
        }

        double count(String counter, String reason) {
            return registry.get(counter).tag("reason", reason).counter().count();
        }

        double gauge(String name) {
            return registry.get(name).gauge().value();
        }
    }

    LinkedNodes(LinkSettings settings) {
        this.settings = settings;
    }

    /** Returns settings with short times. */
    static LinkSettings settings(int maximumPayloadBytes, long maximumUnacknowledgedBytes) {
        return new LinkSettings(
                maximumPayloadBytes,
                maximumUnacknowledgedBytes,
                Duration.ofSeconds(10),
                Duration.ofMillis(5),
                Duration.ofMillis(50),
                Duration.ofMillis(100));
    }

    /** Starts a node that is about to join. */
    Node start() throws Exception {
        return start(settings);
    }

    Node start(LinkSettings own) throws Exception {
        Node node = new Node(loops, own, new Incarnation(next++, RANDOM));
        nodes.add(node);
        return node;
    }

    /** Writes that a node has joined, with its own certificate. Nodes join in the order of their starts. */
    LinkedNodes join(Node node) {
        return joinWith(node, node.identity.fingerprint());
    }

    /** Writes that a node has joined, with a fingerprint. */
    LinkedNodes joinWith(Node node, String fingerprint) {
        view = view.after(node.incarnation.offset(), joined(node, fingerprint));
        return this;
    }

    /** Returns the record with which a node joins. */
    static Joined joined(Node node, String fingerprint) {
        NodeDescription description = new NodeDescription(
                new NodeId("node-" + node.incarnation.offset()),
                "",
                "",
                1,
                3,
                new NodeDescription.LinkEndpoint(
                        LinkAddress.format(InetAddress.getLoopbackAddress(), node.proxy.port()), fingerprint));
        return new Joined(description, RANDOM);
    }

    /** Writes that a node has left. */
    LinkedNodes leave(Node node) {
        view = view.after(next++, new Left(node.incarnation));
        return this;
    }

    /** Lets a node read all that is written. */
    LinkedNodes show(Node node) {
        node.links.onView(view);
        return this;
    }

    static void await(BooleanSupplier condition) {
        waiting().until(condition::getAsBoolean);
    }

    /** Requires a condition for some time. */
    static void awaitDuring(Duration time, BooleanSupplier condition) {
        waiting().during(time).until(condition::getAsBoolean);
    }

    private static ConditionFactory waiting() {
        return Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(PATIENCE);
    }

    @Override
    public void close() {
        nodes.forEach(each -> each.proxy.close());
        nodes.forEach(each -> each.links.stop());
        loops.close();
    }
}

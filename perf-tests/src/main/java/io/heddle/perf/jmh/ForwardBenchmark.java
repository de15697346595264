package io.heddle.perf.jmh;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.View;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.node.ForwardReceiver;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.delivery.node.NodeForwarding;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.routing.Router;
import io.heddle.core.routing.interest.ClusterPeers;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.transport.connection.NettyEventLoop;
import io.heddle.transport.link.LinkIdentity;
import io.heddle.transport.link.LinkSettings;
import io.heddle.transport.link.Links;
import io.heddle.transport.listener.EventLoops;
import io.heddle.transport.listener.Transport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Messages from one node to the {@value #RECIPIENTS} subscribers of another one, which only count, over TLS and loopback; both nodes are in
 * this process. One operation is a batch that the sender publishes in one turn of its event loop, until it has arrived. The row {@code :cpu}
 * of {@link CpuTime} is the processor time of both sides with their system calls.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"
        })
public class ForwardBenchmark {
    private static final int RECIPIENTS = 33;
    private static final int PAYLOAD_BYTES = 66;
    private static final int RANDOM = 1;
    private static final long POLL_NANOS = 50_000;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Two nodes with a link, the publisher's and the subscribers'. */
    @State(Scope.Benchmark)
    public static class TwoNodes {
        private static final SteadyClock CLOCK = new SteadyClock(InstantSource.system(), System::nanoTime);

        /** The messages of one turn. */
        @Param({"1", "4", "20", "100"})
        private int messages;

        private final EventLoops senderLoops = new EventLoops(Transport.AUTO, 1);
        private final EventLoops receiverLoops = new EventLoops(Transport.AUTO, 1);
        private final NettyEventLoop senderLoop = loop(senderLoops);
        private final NettyEventLoop receiverLoop = loop(receiverLoops);
        private final Links from = links(senderLoops);
        private final Links to = links(receiverLoops);
        private final RemoteNode receiver = new RemoteNode(new Incarnation(1, RANDOM));
        private final SubscriptionTrie senderTrie = new SubscriptionTrie();
        private final SubscriptionTrie receiverTrie = new SubscriptionTrie();
        private final Router router = new Router(senderTrie);
        private final NodeForwarding forwarding = new NodeForwarding(
                new ClusterPeers(senderLoop, senderTrie.nodes()),
                senderTrie.nodes(),
                List.of(senderLoop),
                from,
                new MemoryBudget(Long.MAX_VALUE, new SimpleMeterRegistry()),
                CLOCK,
                new Ledger(new SimpleMeterRegistry()),
                new SimpleMeterRegistry());
        private final List<ReportingSession> sessions = new ArrayList<>();
        private final PublishMessage message = new PublishMessage(
                new ClientId("load-pub-1"),
                SampleData.parse("country/city/1"),
                QoS.AT_MOST_ONCE,
                false,
                PublishProperties.NONE,
                BinaryData.wrap(new byte[PAYLOAD_BYTES]),
                PublishMessage.NEVER_EXPIRES);
        private long sent;
        private volatile long awaited;
        private volatile boolean hasArrived;
        private volatile @Nullable Thread waiting;

        private static NettyEventLoop loop(EventLoops loops) {
            return new NettyEventLoop((EventLoop) loops.loops().iterator().next(), 0);
        }

        private static Links links(EventLoops loops) {
            return new Links(
                    loops,
                    LinkSettings.of(8 << 20, Duration.ofSeconds(10)),
                    LinkIdentity.create(new SecureRandom()),
                    new SimpleMeterRegistry());
        }

        private static Joined joined(Links links, String name) {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            return new Joined(
                    new NodeDescription(
                            new NodeId(name), "", "", 1, 1, links.endpoint(loopback, links.start(loopback, 0, 0))),
                    RANDOM);
        }

        /** Connects the nodes and subscribes. */
        @Setup(Level.Trial)
        public void connect() {
            TopicFilter filter = TopicFilter.parse("country/city/#", 10);
            Subscription subscription = new Subscription(filter, QoS.AT_MOST_ONCE, false, false, 0);
            for (int i = 0; i < RECIPIENTS; i++) {
                ReportingSession session = new ReportingSession(new ClientId("load-sub-" + i));
                sessions.add(session);
                receiverTrie.put(session, subscription);
            }
            senderTrie.put(receiver, filter, RemoteNode.Interest.AT_MOST_ONCE, 1);
            new ForwardReceiver(
                            List.of(receiverLoop),
                            to,
                            new Router(receiverTrie),
                            new DirectDelivery(
                                    1,
                                    Long.MAX_VALUE,
                                    new ClientIncidents(System::nanoTime, new SimpleMeterRegistry()),
                                    new Ledger(new SimpleMeterRegistry()),
                                    new SimpleMeterRegistry()),
                            new MessageNames(receiver.incarnation(), 1),
                            CLOCK,
                            new SimpleMeterRegistry())
                    .start();
            senderLoop.execute(() -> forwarding.onJoined(receiver));
            View view = View.atBeginning(0, 1)
                    .after(0, joined(from, "from"))
                    .after(receiver.incarnation().offset(), joined(to, "to"));
            from.onView(view);
            to.onView(view);
            long end = System.nanoTime() + LIMIT_NANOS;
            while (!from.isUp(receiver.incarnation())) {
                requireBefore(end, "the nodes have no link");
                LockSupport.parkNanos(POLL_NANOS);
            }
        }

        private static void requireBefore(long endNanos, String problem) {
            if (System.nanoTime() - endNanos >= 0) {
                throw new IllegalStateException(problem);
            }
        }

        void forward() {
            sent += messages;
            awaited = sent;
            waiting = Thread.currentThread();
            senderLoop.execute(() -> {
                for (int i = 0; i < messages; i++) {
                    var _ = forwarding
                            .prepare(message, router.route(message), null)
                            .send();
                }
            });
            long end = System.nanoTime() + LIMIT_NANOS;
            while (!hasArrived) {
                requireBefore(end, "a message has not arrived");
                LockSupport.parkNanos(LIMIT_NANOS);
            }
            hasArrived = false;
        }

        /** On the event loop of the receiver, which delivers a message to all sessions in one task. */
        private void onDelivered(long messagesOfLast) {
            if (messagesOfLast == awaited) {
                hasArrived = true;
                LockSupport.unpark(waiting);
            }
        }

        /** Checks that every message has reached every subscriber. */
        @TearDown(Level.Trial)
        public void stop() {
            from.stop();
            to.stop();
            senderLoops.close();
            receiverLoops.close();
            for (ReportingSession session : sessions) {
                if (session.delivered() != sent) {
                    throw new IllegalStateException(
                            sent + " messages were sent, and " + session.delivered() + " delivered to a subscriber");
                }
            }
        }

        private final class ReportingSession extends CountingSession {
            ReportingSession(ClientId clientId) {
                super(clientId, receiverLoop);
            }

            @Override
            public boolean deliver(PublishMessage delivery, DeliveryTerms terms) {
                boolean isDelivered = super.deliver(delivery, terms);
                if (this == sessions.getLast()) {
                    onDelivered(delivered());
                }
                return isDelivered;
            }
        }
    }

    /** Counts messages; JMH reports the time for each as the row {@code :message}. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Forwarded {
        /** The number of forwarded messages. */
        public long message;
    }

    /** Forwards the messages of one turn. */
    @Benchmark
    public void forward(TwoNodes nodes, Forwarded forwarded) {
        nodes.forward();
        forwarded.message += nodes.messages;
    }
}

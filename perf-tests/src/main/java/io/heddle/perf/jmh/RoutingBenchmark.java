package io.heddle.perf.jmh;

import io.heddle.core.Limit;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.Dispatcher;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.delivery.node.Forwarding;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.publish.PublishOutcome;
import io.heddle.core.publish.PublishService;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.routing.Router;
import io.heddle.core.routing.RoutingPlan;
import io.heddle.core.subscription.SubscriptionTrie;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * From a decoded message to the sessions of its recipients: {@link PublishService} with the real router, plan and direct delivery. The
 * sessions only count, so that the work of a real session (packet, encoder, socket) is not included.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"
        })
public class RoutingBenchmark {
    /** The event loop that owns the recipients. Public, because generated code of JMH refers to it. */
    public enum Owner {
        /** The publisher's event loop: handover by a method call. */
        OWN_LOOP,
        /** Another event loop: handover in one task, without waking its thread. */
        OTHER_LOOP
    }

    /** A node with its subscribers. */
    @State(Scope.Thread)
    public static class Node {
        private static final SteadyClock CLOCK = new SteadyClock(InstantSource.system(), System::nanoTime);
        private static final String[] FILTERS = {"/+/+/temperature", "/#"};

        @Param({"100", "3000"})
        private int recipients;

        @Param
        private Owner owner = Owner.OWN_LOOP;

        /** The number of matching filters of each recipient; two filters must be merged. */
        @Param({"1", "2"})
        private int filters;

        private final SubscriptionTrie subscriptions = new SubscriptionTrie();
        private final PublishService publishService = new PublishService(
                new RetainedMessages(new RetainedLimits(1, 1, 1, 0), CLOCK, new SimpleMeterRegistry()),
                new Router(subscriptions),
                new Dispatcher(
                        new DirectDelivery(
                                2,
                                Long.MAX_VALUE,
                                new ClientIncidents(System::nanoTime, new SimpleMeterRegistry()),
                                new Ledger(new SimpleMeterRegistry()),
                                new SimpleMeterRegistry()),
                        new UnusedLog(),
                        new BucketPositions(1, LagBounds.NONE, CLOCK, new SimpleMeterRegistry()),
                        new UnusedForwarding(),
                        new MessageNames(new Incarnation(0, 0), 1),
                        new SimpleMeterRegistry()),
                new UnusedLog(),
                new MemoryBudget(Long.MAX_VALUE, new SimpleMeterRegistry()),
                StorageRoom.unlimited(new SimpleMeterRegistry()),
                TopicRules.STANDARD,
                new ClientIncidents(System::nanoTime, new SimpleMeterRegistry()),
                new SimpleMeterRegistry());
        private final PublishMessage toAll = message(7);
        private final PublishMessage toOne = message(8);

        /** Subscribes all recipients and checks that each gets a message exactly once. */
        @Setup
        public void subscribe() {
            EventLoop loop = owner == Owner.OWN_LOOP ? InlineEventLoop.own() : InlineEventLoop.other();
            List<CountingSession> sessions = new ArrayList<>();
            for (int i = 0; i < recipients; i++) {
                sessions.add(subscribe(i, 7, loop));
            }
            sessions.add(subscribe(recipients, 8, loop));
            publishService.publish(toAll, null);
            publishService.publish(toOne, null);
            for (CountingSession session : sessions) {
                if (session.delivered() != 1) {
                    throw new IllegalStateException(
                            session.clientId() + " got the message " + session.delivered() + " times");
                }
            }
        }

        private CountingSession subscribe(int number, int site, EventLoop loop) {
            CountingSession session = SampleData.session(number, loop);
            for (int i = 0; i < filters; i++) {
                subscriptions.put(session, SampleData.subscription("plant/" + site + FILTERS[i]));
            }
            return session;
        }

        private static PublishMessage message(int site) {
            return new PublishMessage(
                    new ClientId("publisher"),
                    SampleData.parse(SampleData.topic(site, 3, 5)),
                    QoS.AT_MOST_ONCE,
                    false,
                    PublishProperties.NONE,
                    BinaryData.wrap(new byte[64]),
                    PublishMessage.NEVER_EXPIRES);
        }
    }

    /** Counts deliveries; JMH reports the time for each as the row {@code :delivery}. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Delivered {
        /** The number of deliveries. */
        public long delivery;
    }

    /** One message to all recipients. */
    @Benchmark
    public PublishOutcome publishToAll(Node node, Delivered delivered) {
        PublishOutcome outcome = node.publishService.publish(node.toAll, null);
        delivered.delivery += node.recipients;
        return outcome;
    }

    /** One message to one recipient, after a message to all: the reused plan must not cost more. */
    @Benchmark
    public PublishOutcome publishToOneAfterAll(Node node) {
        return node.publishService.publish(node.toOne, null);
    }

    /** A log without entries: QoS 0 messages are not logged. */
    private record UnusedLog() implements MessageLog {
        @Override
        public boolean accepts(long bytes) {
            throw notUsed();
        }

        @Override
        public long publisherShare() {
            throw notUsed();
        }

        @Override
        public Limit pendingLimit() {
            throw notUsed();
        }

        @Override
        public void append(List<LogAppend> appends, AppendCallback callback) {
            throw notUsed();
        }

        @Override
        public void commit(List<LogAppend> appends, OrderFence order, AppendCallback callback) {
            throw notUsed();
        }

        private static IllegalStateException notUsed() {
            return new IllegalStateException("a QoS 0 message was appended to the log");
        }
    }

    /** The plans name no other node. */
    private static final class UnusedForwarding implements Forwarding {
        @Override
        public Prepared prepare(PublishMessage message, RoutingPlan plan, @Nullable MessageName name) {
            throw new IllegalStateException("a plan names another node");
        }

        @Override
        public boolean isHeldUp() {
            return false;
        }
    }
}

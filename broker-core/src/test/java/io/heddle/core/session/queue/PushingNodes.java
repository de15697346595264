package io.heddle.core.session.queue;

import io.heddle.core.client.ClientEvents;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketWriter;
import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.bucket.RollbackDetector;
import io.heddle.core.delivery.bucket.remote.PushPeers;
import io.heddle.core.delivery.bucket.remote.PushReceiver;
import io.heddle.core.delivery.bucket.remote.PushRouting;
import io.heddle.core.delivery.bucket.remote.PushSender;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.FaultyDeviceQueues;
import io.heddle.core.testkit.InMemoryApplicationLogs;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryChangeLog;
import io.heddle.core.testkit.InMemoryClientLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryLinks;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingFeedListener;
import io.heddle.core.testkit.RecordingSession;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Some nodes that share one bucket, its log and its queues: one holds the bucket, others have connected clients. */
final class PushingNodes {
    static final int BUCKET = 0;
    static final int MAXIMUM_PAYLOAD_BYTES = 4_000;

    private static final LagBounds LAG = new LagBounds(Duration.ofDays(1), 1_000);
    private static final long EPOCH = 1_000_000;

    final InMemoryDeviceQueues store = new InMemoryDeviceQueues();
    final InMemoryLinks links;
    /** The log of the bucket by offset. */
    final TreeMap<Long, BucketCommand> log = new TreeMap<>();

    final List<Node> nodes = new ArrayList<>();
    private long incarnations;
    private long epoch = EPOCH;
    private long nanos;

    PushingNodes(long maximumUnacknowledgedBytes) {
        links = new InMemoryLinks(1, MAXIMUM_PAYLOAD_BYTES, maximumUnacknowledgedBytes);
    }

    Node add() {
        Node added = new Node(new Incarnation(++incarnations, 7));
        for (Node other : nodes) {
            links.connect(added.self, other.self);
            other.others.add(added.self);
            added.others.add(other.self);
        }
        nodes.add(added);
        return added;
    }

    /** A node has died, as the others read in the log of nodes. It does nothing any more. */
    void kill(Node dead) {
        nodes.remove(dead);
        for (Node other : nodes) {
            other.others.remove(dead.self);
            links.end(other.self, dead.self);
        }
    }

    void publish(ClientId clientId, long generation, QoS qos, String... payloads) {
        for (String payload : payloads) {
            publish(clientId, generation, qos, PublishMessages.message(payload));
        }
    }

    void publish(ClientId clientId, long generation, QoS qos, PublishMessage message) {
        log.put(
                log.isEmpty() ? 0 : log.lastKey() + 2,
                new Enqueue(message, List.of(new QueueRecipient(clientId, generation, qos, false, List.of(7)))));
    }

    /** Lets all nodes work until nothing more happens, and 20 milliseconds pass. */
    void run() {
        for (int i = 0; i < 4; i++) {
            int done = 1;
            while (done > 0) {
                done = links.deliver();
                for (Node node : nodes) {
                    done += node.work();
                }
            }
            nanos += TimeUnit.MILLISECONDS.toNanos(10);
            nodes.forEach(node -> node.loop.advance(Duration.ofMillis(10)));
        }
    }

    /** Lets time pass while the nodes work. */
    void pass(Duration time) {
        for (long i = 0; i < time.toMillis(); i += 40) {
            run();
        }
    }

    /** Lets the nodes work, but delivers no frame. */
    void runWithoutLinks() {
        while (nodes.stream().mapToInt(Node::work).sum() > 0) {
            nanos++;
        }
    }

    static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    final class Node {
        final Incarnation self;
        final Set<Incarnation> others = new HashSet<>();
        final ManualEventLoop loop = new ManualEventLoop(0);
        final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        final FaultyDeviceQueues queues = new FaultyDeviceQueues(store);
        private final SteadyClock clock =
                new SteadyClock(InstantSource.fixed(Instant.ofEpochMilli(EPOCH)), () -> nanos);
        final BucketPositions positions = new BucketPositions(1, LAG, clock, metrics);
        private final InMemoryMessageLog messageLog = new InMemoryMessageLog(new InMemoryBucketLog(1), positions);
        private final ApplicationSessions applications = new ApplicationSessions(
                new InMemoryApplicationLogs(), new InMemoryChangeLog<>(), RoutingLease.unlimited(), metrics);
        private final QueueBounds bounds = new QueueBounds(1_000, 1_000_000, true, 100);
        final PersistentSessions sessions;
        final ConnectedFeeds connected;
        final BucketWriter writer;
        final PushReceiver receiver;
        final RollbackDetector detector;
        private final SessionFeeds feeds;
        private long readFrom = Long.MAX_VALUE;

        Node(Incarnation self) {
            this.self = self;
            BucketLoops loops = new BucketLoops(List.of(loop));
            sessions = new PersistentSessions(
                    new Buckets(1),
                    loops,
                    self.toString(),
                    new SubscriptionTrie(),
                    new InMemoryClientLog(),
                    store,
                    applications,
                    new MemoryBudget(Long.MAX_VALUE, metrics),
                    1_000,
                    clock,
                    new ClientEvents(),
                    metrics);
            PushRouting routing = new PushRouting(links.node(self), new PushPeers() {
                @Override
                public Set<Incarnation> others() {
                    return others;
                }

                @Override
                public boolean isHolder(Incarnation member, int bucket) {
                    return nodes.stream().anyMatch(each -> each.self.equals(member) && each.positions.isHeld(bucket));
                }
            });
            connected = new ConnectedFeeds(sessions, queues, positions, loop, metrics);
            receiver = new PushReceiver(connected, routing, positions, clock, metrics);
            receiver.listen();
            writer = new BucketWriter(
                    queues,
                    new ClusterQueueSessions(
                            sessions,
                            connected,
                            store,
                            new PushSender(routing, _ -> 0, queues, positions, clock, metrics)),
                    positions,
                    messageLog,
                    bounds,
                    1_000_000,
                    clock,
                    new ClientIncidents(System::nanoTime, metrics),
                    metrics);
            writer.start(Runnable::run);
            detector = new RollbackDetector(queues, positions, new InMemoryBucketLog(1));
            feeds = new SessionFeeds(
                    queues,
                    bounds,
                    messageLog,
                    store,
                    positions,
                    detector,
                    applications,
                    List.of(loop),
                    1_000_000,
                    RoutingLease.unlimited(),
                    Duration.ZERO,
                    metrics);
        }

        void hold() {
            writer.hold(Set.of(BUCKET));
        }

        void release() {
            var _ = writer.release(Set.of(BUCKET));
            readFrom = Long.MAX_VALUE;
        }

        /** The bucket is read again from the position of its queues. */
        void rewind() {
            writer.rewind(Set.of(BUCKET));
        }

        private int work() {
            writer.advance();
            Long seek = writer.takeSeeks().get(BUCKET);
            if (seek != null) {
                readFrom = seek + 1;
            }
            int read = 0;
            if (positions.isHeld(BUCKET)
                    && writer.canRead(BUCKET)
                    && !log.tailMap(readFrom).isEmpty()) {
                List<Logged> commands = new ArrayList<>();
                for (Map.Entry<Long, BucketCommand> each : log.tailMap(readFrom).entrySet()) {
                    commands.add(new Logged(each.getKey(), each.getValue()));
                }
                read = commands.size();
                readFrom = log.lastKey() + 1;
                writer.onCommands(BUCKET, commands, 2 * EPOCH);
            }
            writer.advance();
            writer.sendPushes();
            return read + loop.runTasks();
        }

        double count(String counter, String... tags) {
            return metrics.counter(counter, tags).count();
        }

        /** Connects a client, which begins a session or continues it in a new epoch. */
        Client connect(ClientId clientId) {
            PersistentSession before = sessions.find(clientId);
            epoch++;
            long generation = before == null ? epoch : before.generation();
            Registration registered = answer(store.connect(
                    BUCKET,
                    clientId,
                    generation,
                    before == null ? 0 : before.record().epoch(),
                    epoch,
                    self.toString()));
            for (Node node : nodes) {
                node.sessions.restore(
                        clientId,
                        new SessionRecord(generation, ClientType.DEVICE, null, 1_000, self.toString(), epoch, 0));
            }
            PersistentSession session = sessions.find(clientId);
            if (session == null) {
                throw new AssertionError("the session is missing");
            }
            loop.run(() -> sessions.acquire(session));
            sessions.attach(session, new RecordingSession(clientId.value(), loop));
            Client client = new Client(clientId, generation);
            OpenedFeed opened = feeds.open(session, registered, loop, client.heard);
            session.reader(opened.reader());
            client.queue = opened.queue();
            opened.queue().begin();
            return client;
        }

        final class Client {
            final ClientId clientId;
            final long generation;
            final RecordingFeedListener heard = new RecordingFeedListener();
            private final long queueEpoch = epoch;
            private @Nullable OutboundQueue queue;

            Client(ClientId clientId, long generation) {
                this.clientId = clientId;
                this.generation = generation;
            }

            private OutboundQueue queue() {
                return Objects.requireNonNull(queue);
            }

            /** Takes all messages that the feed has, as "sequence payload". */
            List<String> take() {
                List<String> taken = new ArrayList<>();
                OutboundQueue queue = queue();
                while (queue.peek() != null) {
                    long sequence = queue.sequence();
                    taken.add(sequence + " " + PublishMessages.text(queue.peek().message()));
                    queue.take();
                    loop.runTasks();
                }
                return taken;
            }

            /** Takes all messages that the feed has, and returns when they arrived at a node. */
            List<Long> takeArrivals() {
                List<Long> arrivals = new ArrayList<>();
                OutboundQueue queue = queue();
                while (queue.peek() != null) {
                    arrivals.add(queue.peek().message().arrivedMicros());
                    queue.take();
                    loop.runTasks();
                }
                return arrivals;
            }

            void acknowledgeBelow(long sequence) {
                queue().acknowledgedBelow(sequence);
            }

            void disconnect() {
                queue().end();
            }

            boolean isRegistered() {
                return answer(store.page(BUCKET, clientId, generation, queueEpoch, 1, 0, 1))
                        .isOwned();
            }

            List<String> stored() {
                return store.payloads(BUCKET, clientId);
            }
        }
    }
}

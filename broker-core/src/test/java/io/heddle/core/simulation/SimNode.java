package io.heddle.core.simulation;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.SignInFailures;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.LagBounds;
import io.heddle.core.delivery.bucket.TruncationLimits;
import io.heddle.core.lifecycle.BrokerCore;
import io.heddle.core.lifecycle.CoreSettings;
import io.heddle.core.lifecycle.StorePorts;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.node.NodeResources;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.session.ConnectService;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.outbound.QueueLimits;
import io.heddle.core.simulation.client.SimConnection;
import io.heddle.core.simulation.kafka.SimKafka;
import io.heddle.core.simulation.kafka.SimKafkaClient;
import io.heddle.core.simulation.redis.SimRedis;
import io.heddle.core.simulation.redis.SimRedisClient;
import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.InMemorySessionDirectory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One run of a broker process: the product's {@link BrokerCore} over clients of the simulated stores, on event loops of the world. */
public final class SimNode {
    static final int BUCKETS = 3;
    private static final int LOOPS = 2;
    private static final long MEMORY_BYTES = 100_000_000;
    private static final QueueLimits QUEUE = new QueueLimits(10_000, 10_000_000, QueueLimits.Overflow.DROP_OLDEST);
    private static final SessionSettings SESSIONS = new SessionSettings(
            65_536, 8, 20, 1_000, 100_000, 0, 16, 8, 2, QUEUE, 1_000, 20_000, Duration.ofSeconds(2));
    private static final long START_PATIENCE_MICROS = 600_000_000;

    private final World world;
    private final SimProcess process;
    private final String incarnation;
    private final List<SimLoop> loops = new ArrayList<>();
    private final List<SimConnection> connections = new ArrayList<>();
    private final SimKafkaClient kafka;
    private final SimRedisClient redis;
    private final BucketPositions positions;
    private final BrokerCore core;
    private final SimLease lease;
    private boolean following;
    private boolean serving;
    private @Nullable Class<? extends MqttPacket> trapped;
    private @Nullable Consumer<SimConnection> trap;

    /**
     * A process that has not started.
     *
     * @param number of this run, which makes its incarnation unique
     * @param clockOffsetMillis by which its time of day is wrong
     */
    SimNode(World world, SimKafka cluster, SimRedis store, int number, long clockOffsetMillis) {
        this.world = world;
        this.incarnation = "run-" + number;
        this.process = new SimProcess(incarnation);
        for (int i = 0; i < LOOPS; i++) {
            loops.add(new SimLoop(world, process, i));
        }
        this.kafka = new SimKafkaClient(world, process, cluster, this::onReplaced);
        this.redis = new SimRedisClient(world, process, store);
        this.lease = new SimLease(world, process, kafka);
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        Instant now = Instant.ofEpochMilli(world.millis() + clockOffsetMillis);
        SteadyClock clock = new SteadyClock(() -> now, world::nanoTime);
        this.positions = new BucketPositions(BUCKETS, new LagBounds(Duration.ofMillis(200), 1_000_000), clock, metrics);
        this.core = core(clock, metrics);
    }

    private BrokerCore core(SteadyClock clock, SimpleMeterRegistry metrics) {
        LongSupplier freeBytes = () -> StorageRoom.UNKNOWN;
        NodeResources resources = new NodeResources(
                new SubscriptionTrie(new SubscriptionLimits(1_000, 1_000, 0, 1_000)),
                new RetainedMessages(new RetainedLimits(1_000, 1_000_000, 100_000, 0), clock, metrics),
                new MemoryBudget(MEMORY_BYTES, metrics),
                new StorageRoom(10_000_000, 100, freeBytes, metrics),
                new AppendAdmission(1_000_000, 1_000_000, 100_000, metrics),
                authentication(metrics),
                clock,
                metrics);
        CoreSettings settings = new CoreSettings(
                incarnation,
                BUCKETS,
                SESSIONS,
                1 << 20,
                10_000_000,
                1 << 20,
                Duration.ofMillis(500),
                new TruncationLimits(Duration.ofSeconds(20), Duration.ofSeconds(5)));
        StorePorts stores = new StorePorts(
                kafka.clients(),
                kafka.retained(),
                kafka.progress(),
                kafka.messages(positions),
                kafka.buckets(),
                kafka.applications(),
                redis,
                redis,
                new InMemorySessionDirectory());
        return new BrokerCore(
                settings, resources, List.<EventLoop>copyOf(loops), positions, lease.ofProduct(), stores, lost -> {
                    throw new SimulationFailure(process + " has lost its replica: " + lost);
                });
    }

    private Authentication authentication(SimpleMeterRegistry metrics) {
        return new Authentication(
                List.of(shown -> new AuthenticationOutcome.Accepted(new ClientIdentity(
                        shown.clientId(),
                        shown.clientId().value().startsWith("app") ? ClientType.APPLICATION : ClientType.DEVICE,
                        shown.clientId().value()))),
                task -> world.after(process, world.delay(), task),
                1_000,
                new SignInFailures(Duration.ofMillis(1), Duration.ZERO, Duration.ofMinutes(1), world::nanoTime),
                metrics);
    }

    /** Follows the logs while another process serves. */
    void standBy() {
        following = true;
        core.replica().follow();
        world.trace(() -> process + " stands by");
    }

    /** Starts in the product's order, or takes over as a standby. Blocks this process; all others go on. */
    void start() {
        if (!following) {
            standBy();
        }
        kafka.start();
        await(core.replica().readToEnds());
        await(core.replica().hold());
        core.replica().restoreApplications();
        kafka.buckets().read(core.bucketWriter());
        kafka.buckets().hold(new Buckets(BUCKETS).all());
        awaitBuckets();
        core.serve();
        redis.whenReturned(core::onQueuesReturned);
        every(100_000, () -> core.housekeeping().run(100));
        every(100_000, () -> core.expireRetained(100));
        every(1_000_000, () -> core.truncation().run());
        every(5_000_000, () -> core.rollbackDetector().checkIdleBuckets());
        lease.keep();
        serving = true;
        world.trace(() -> process + " serves");
    }

    private void await(CompletionStage<Void> stage) {
        CompletableFuture<Void> asked = stage.toCompletableFuture();
        if (!world.runUntil(process, START_PATIENCE_MICROS, asked::isDone) || asked.isCompletedExceptionally()) {
            throw new StoreUnavailableException("Kafka does not answer, or a log is not read to its end", null);
        }
    }

    private void awaitBuckets() {
        CompletableFuture<List<Long>> asked = kafka.buckets().ends().toCompletableFuture();
        if (!world.runUntil(process, START_PATIENCE_MICROS, asked::isDone) || asked.isCompletedExceptionally()) {
            throw new StoreUnavailableException("Kafka does not tell the ends of the bucket logs", null);
        }
        List<Long> ends = asked.join();
        if (!world.runUntil(process, START_PATIENCE_MICROS, () -> isApplied(ends))) {
            throw new SimulationFailure(process + " does not apply the bucket logs to their ends: "
                    + positions.describe(0) + ", " + core.bucketWriter().fault() + ", "
                    + core.bucketWriter().blockReason(0));
        }
    }

    private boolean isApplied(List<Long> ends) {
        boolean applied = true;
        for (int bucket = 0; bucket < ends.size(); bucket++) {
            applied &= positions.appliedOffset(bucket) >= ends.get(bucket) - 1;
        }
        return applied;
    }

    private void every(long micros, Runnable task) {
        world.after(process, micros, () -> {
            task.run();
            every(micros, task);
        });
    }

    public SimProcess process() {
        return process;
    }

    boolean isServing() {
        return serving && !process.isDead();
    }

    /** Returns whether others may take its place: none of its clients' packets are processed any more. */
    boolean isSilent() {
        return process.isFrozen() && lease.isOver();
    }

    ConnectService connectService() {
        return core.connectService();
    }

    BrokerCore core() {
        return core;
    }

    /** Accepts a connection, if the process listens. */
    public void accept(SimConnection connection) {
        connections.add(connection);
        connection.accepted(
                process,
                loops.get(world.random().nextInt(LOOPS)),
                core.connectService(),
                packet -> onSent(connection, packet));
    }

    /** Runs a task when the process sends the next packet of this type: at that moment it has promised something. */
    void whenSent(Class<? extends MqttPacket> type, Consumer<SimConnection> task) {
        trapped = type;
        trap = task;
    }

    private void onSent(SimConnection connection, MqttPacket packet) {
        Consumer<SimConnection> task = trap;
        if (task != null && trapped != null && trapped.isInstance(packet)) {
            trap = null;
            task.accept(connection);
        }
    }

    /** Another process is about to take its place and to publish the wills of its clients, who may notice later. */
    void onTakenOver() {
        connections.forEach(SimConnection::onTakenOver);
    }

    private void onReplaced() {
        if (!process.isDead()) {
            world.trace(() -> process + " learns that another process has taken its place");
            kill();
        }
    }

    /** Kills the process; its clients notice. */
    void kill() {
        process.kill();
        connections.forEach(SimConnection::onProcessKilled);
    }

    /**
     * Kills the process as a freeze does that ends with its death: its buffered appends land later.
     *
     * @param behind runs when some of them land behind a transaction of another process, before that is answered
     */
    void killWithLateAppends(Runnable behind) {
        kill();
        kafka.landLate(behind);
    }

    /** Some of its clients lose their connections, and it learns that when it runs again. */
    void loseSomeConnections() {
        connections.stream().filter(_ -> world.random().nextBoolean()).forEach(SimConnection::breakOff);
    }

    /** Resets all its connections, like a lost network: what is on its way arrives, or is lost. */
    void resetConnections() {
        connections.forEach(world.random().nextBoolean() ? SimConnection::reset : SimConnection::breakOff);
        connections.clear();
    }
}

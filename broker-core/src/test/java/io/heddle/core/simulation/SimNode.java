package io.heddle.core.simulation;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.lifecycle.BrokerCore;
import io.heddle.core.lifecycle.StorePorts;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.simulation.client.SimConnection;
import io.heddle.core.simulation.kafka.SimKafka;
import io.heddle.core.simulation.kafka.SimKafkaClient;
import io.heddle.core.simulation.redis.SimRedis;
import io.heddle.core.simulation.redis.SimRedisClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One run of a broker process: the product's {@link BrokerCore} over clients of the simulated stores, on event loops of the world. */
final class SimNode implements SimEntry {
    static final int BUCKETS = 3;
    private static final int LOOPS = 2;
    private static final long START_PATIENCE_MICROS = 600_000_000;

    private final World world;
    private final SimProcess process;
    private final String incarnation;
    private final List<SimLoop> loops = new ArrayList<>();
    private final SimConnections connections;
    private final SimKafkaClient kafka;
    private final SimRedisClient redis;
    private final BucketPositions positions;
    private final BrokerCore core;
    private final SimLease lease;
    private boolean following;
    private boolean serving;

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
        this.connections = new SimConnections(world, process, loops);
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        SteadyClock clock = SimSettings.clock(world, clockOffsetMillis);
        this.positions = SimSettings.positions(BUCKETS, clock, metrics);
        this.core = core(clock, metrics);
    }

    private BrokerCore core(SteadyClock clock, SimpleMeterRegistry metrics) {
        StorePorts stores = new StorePorts(
                kafka.clients(),
                kafka.retained(),
                kafka.progress(),
                kafka.messages(positions),
                kafka.buckets(),
                kafka.applications(),
                redis,
                redis);
        return new BrokerCore(
                SimSettings.core(incarnation, BUCKETS),
                SimSettings.resources(world, process, clock, metrics),
                List.<EventLoop>copyOf(loops),
                positions,
                lease.ofProduct(),
                stores,
                lost -> {
                    throw new SimulationFailure(process + " has lost its replica: " + lost);
                });
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

    @Override
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

    SimConnections connections() {
        return connections;
    }

    @Override
    public void accept(SimConnection connection) {
        connections.accept(connection, core.connectService());
    }

    /** Another process is about to take its place and to publish the wills of its clients, who may notice later. */
    void onTakenOver() {
        connections.onTakenOver();
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
        connections.onProcessKilled();
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
}

package io.heddle.core.simulation.kafka;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.SimulationFailure;
import io.heddle.core.simulation.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The Kafka client of one broker process: its producers, its readers, and the ports that core uses. */
public final class SimKafkaClient {
    private static final long PATIENCE_MICROS = 300_000_000;
    private static final long ADMIN_TIMEOUT_MICROS = 5_000_000;
    private static final List<Integer> PUBLISHING_IDS = List.of(0, 1, 2);
    private static final List<Integer> STATE_IDS = List.of(3, 4);
    /** The number of transactional ids of a process. */
    public static final int IDS = PUBLISHING_IDS.size() + STATE_IDS.size();

    private final World world;
    private final SimProcess process;
    private final SimKafka kafka;
    private final SimProducer producer;
    private final SimLife life;
    private final SimTransactions publishes;
    private final SimTransactions state;
    private final BucketLog buckets;
    private final ApplicationLogs applications;
    private final List<SimFollower<?>> followers = new ArrayList<>();

    /** The client of a process that has joined. */
    public SimKafkaClient(World world, SimProcess process, SimKafka kafka, SimLife life, Incarnation incarnation) {
        this.world = world;
        this.process = process;
        this.kafka = kafka;
        this.producer = new SimProducer(world, process);
        this.life = life;
        this.publishes = new SimTransactions(world, process, kafka, life, incarnation, PUBLISHING_IDS);
        this.state = new SimTransactions(world, process, kafka, life, incarnation, STATE_IDS);
        this.buckets = new SimBucketLog(this);
        this.applications = new SimApplicationLogs(this);
    }

    /** Begins to prepare the producers. Returns a condition for the end of that. */
    public BooleanSupplier prepare() {
        BooleanSupplier first = publishes.start();
        BooleanSupplier second = state.start();
        return () -> first.getAsBoolean() && second.getAsBoolean();
    }

    /**
     * The process is dead: its appends that are not part of a transaction arrive later all the same.
     *
     * @param behind runs when some of them arrive behind a transaction of another process, before that is answered
     */
    public void landLate(Runnable behind) {
        producer.landLate(behind);
    }

    /** A thread that follows a log stands still for this time, in microseconds. */
    public void stickFollower(long micros) {
        if (!followers.isEmpty()) {
            followers.get(world.random().nextInt(followers.size())).standStill(micros);
        }
    }

    void add(SimFollower<?> follower) {
        followers.add(follower);
    }

    /** Runs a task, which kills the process, when the next commit of messages is durable, before the process learns that. */
    public void beforeNextCommitIsAnswered(@Nullable Runnable task) {
        publishes.beforeNextAnswer(task);
    }

    // The ports.

    public MessageLog messages(BucketPositions positions) {
        return new SimMessageLog(this, positions);
    }

    public BucketLog buckets() {
        return buckets;
    }

    public ApplicationLogs applications() {
        return applications;
    }

    public ClientLog clients() {
        return new SimClientLog(this);
    }

    public ChangeLog<TopicName, PublishMessage> retained() {
        return new SimChangeLog<>(this, SimKafka.RETAINED);
    }

    public ChangeLog<ProgressKey, Progress> progress() {
        return new SimChangeLog<>(this, SimKafka.PROGRESS);
    }

    // For the adapters.

    World world() {
        return world;
    }

    SimProcess process() {
        return process;
    }

    SimKafka kafka() {
        return kafka;
    }

    SimProducer producer() {
        return producer;
    }

    /** Confirms that the process is a member before it deletes something. */
    SimLife life() {
        return life;
    }

    /** QoS 2 messages with their markers, retained messages, and wills with the records of their sessions. */
    SimTransactions publishes() {
        return publishes;
    }

    /** Sessions, subscriptions and released markers. */
    SimTransactions state() {
        return state;
    }

    boolean has(Mistake mistake) {
        return world.has(mistake);
    }

    /** The ends of a topic, open transactions included. */
    CompletionStage<List<Long>> ends(String topic) {
        List<SimPartition> partitions = kafka.topic(topic);
        return ask(
                partitions,
                () -> partitions.stream()
                        .map(partition -> has(Mistake.HELD_BEFORE_READ) ? 0 : partition.end())
                        .toList());
    }

    /** Blocks the process; all others go on. */
    void await(BooleanSupplier condition) {
        if (!world.runUntil(process, PATIENCE_MICROS, condition)) {
            throw new SimulationFailure(process + " waits for Kafka for ever");
        }
    }

    /** Asks Kafka when all leaders of these partitions answer; fails after a timeout. */
    <T> CompletionStage<T> ask(List<SimPartition> partitions, Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        ask(partitions, question, answer, world.nanoTime() + ADMIN_TIMEOUT_MICROS * 1_000);
        return answer;
    }

    private <T> void ask(
            List<SimPartition> partitions, Supplier<T> question, CompletableFuture<T> answer, long untilNanos) {
        world.after(world.environment(), world.delay(), () -> {
            if (partitions.stream().noneMatch(SimPartition::isAway)) {
                T answered = question.get();
                world.after(process, world.delay(), () -> answer.complete(answered));
            } else if (world.nanoTime() > untilNanos) {
                world.after(
                        process,
                        world.delay(),
                        () -> answer.completeExceptionally(new StoreUnavailableException("Kafka is away", null)));
            } else {
                world.after(process, 20_000, () -> ask(partitions, question, answer, untilNanos));
            }
        });
    }
}

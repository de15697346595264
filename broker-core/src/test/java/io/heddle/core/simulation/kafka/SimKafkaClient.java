package io.heddle.core.simulation.kafka;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.SimulationFailure;
import io.heddle.core.simulation.World;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The Kafka client of one broker process: its producers, its readers, and the ports that core uses. */
public final class SimKafkaClient {
    private static final long PATIENCE_MICROS = 300_000_000;
    private static final long ADMIN_TIMEOUT_MICROS = 5_000_000;

    private final World world;
    private final SimProcess process;
    private final SimKafka kafka;
    private final SimProducer producer;
    private final SimTransactions transactions;
    private final BucketLog buckets;
    private final ApplicationLogs applications;

    /** @param transactionalId the prefix of the process's transactional ids, the same for all runs of one node */
    public SimKafkaClient(World world, SimProcess process, SimKafka kafka, String transactionalId) {
        this.world = world;
        this.process = process;
        this.kafka = kafka;
        this.producer = new SimProducer(world, process);
        this.transactions = new SimTransactions(world, process, kafka, transactionalId);
        this.buckets = new SimBucketLog(this);
        this.applications = new SimApplicationLogs(this);
    }

    /** Waits until the transactions of an earlier process of this node are aborted. */
    public void start() {
        await(transactions.start());
    }

    /** The process is dead: its plain appends to the bucket logs and the topics of APPLICATION clients arrive later all the same. */
    public void landLate() {
        producer.landLate(partition -> partition.isOf(SimKafka.BUCKETS) || partition.isOf("heddle.app."));
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

    public ChangeLog<ClientId, SessionRecord> sessions() {
        return new SimChangeLog<>(this, SimKafka.SESSIONS, Mistake.END_NOT_AWAITED);
    }

    public ChangeLog<RouteKey, Route> routes() {
        return new SimChangeLog<>(this, SimKafka.ROUTES, Mistake.ROUTE_NOT_AWAITED);
    }

    public ChangeLog<TopicName, PublishMessage> retained() {
        return new SimChangeLog<>(this, SimKafka.RETAINED, null);
    }

    public ChangeLog<ProgressKey, Progress> progress() {
        return new SimChangeLog<>(this, SimKafka.PROGRESS, null);
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

    SimTransactions transactions() {
        return transactions;
    }

    boolean has(Mistake mistake) {
        return world.has(mistake);
    }

    void awaitLeader(SimPartition partition) {
        await(() -> !partition.isAway());
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

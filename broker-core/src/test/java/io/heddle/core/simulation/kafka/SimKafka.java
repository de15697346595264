package io.heddle.core.simulation.kafka;

import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.simulation.World;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A Kafka cluster: its topics and its transaction coordinator. It survives all brokers. */
public final class SimKafka {
    static final String BUCKETS = "heddle.buckets";
    static final String CLIENTS = "heddle.clients";
    static final String RETAINED = "heddle.retained";
    static final String PROGRESS = "heddle.progress";
    static final String NODES = "heddle.nodes";
    static final String DEAD_LETTERS = "heddle.dead";
    private static final int PARTITIONS = 2;
    private static final int LEVELS = 8;
    /** From a tenth of the lease to three leases. */
    private static final long SHORTEST_SLOW_MICROS = 80_000;

    private static final long LONGEST_SLOW_MICROS = 2_400_000;
    /** For which the nodes may still act upon records that were slow. */
    private static final long TROUBLE_MICROS = 5_000_000;

    private final World world;
    private final int buckets;
    private final SimCoordinator coordinator;
    private final Map<String, List<SimPartition>> topics = new TreeMap<>();
    private long nodesSlowUntilNanos;
    private long nodesTroubledUntilNanos;

    public SimKafka(World world, int buckets) {
        this.world = world;
        this.buckets = buckets;
        this.coordinator = new SimCoordinator(world);
        create(BUCKETS, buckets);
        create(CLIENTS, buckets);
        create(RETAINED, PARTITIONS);
        create(PROGRESS, PARTITIONS);
        create(DEAD_LETTERS, 1);
        create(NODES, 1);
    }

    private List<SimPartition> create(String topic, int partitions) {
        return topics.computeIfAbsent(
                topic,
                name -> IntStream.range(0, partitions)
                        .mapToObj(number -> new SimPartition(world, name + "-" + number))
                        .toList());
    }

    int buckets() {
        return buckets;
    }

    SimCoordinator coordinator() {
        return coordinator;
    }

    List<SimPartition> topic(String name) {
        List<SimPartition> partitions = topics.get(name);
        if (partitions == null) {
            throw new IllegalArgumentException("there is no topic " + name);
        }
        return partitions;
    }

    /** The partition of a key. */
    SimPartition partition(String topic, Object key) {
        List<SimPartition> partitions = topic(topic);
        return partitions.get(Math.floorMod(key.hashCode(), partitions.size()));
    }

    static String applicationTopic(String clientId) {
        return "heddle.app." + clientId;
    }

    boolean exists(String topic) {
        return topics.containsKey(topic);
    }

    /** The topic of an APPLICATION client, created if there is none. */
    SimPartition application(String clientId) {
        return create(applicationTopic(clientId), 1).getFirst();
    }

    /** Returns the payload of the last committed retained message of a topic, or null. */
    public @Nullable String retained(String topic) {
        TopicName key = TopicName.parse(topic, LEVELS);
        return partition(RETAINED, key).last(key) instanceof PublishMessage message
                ? new String(message.payload().array(), StandardCharsets.UTF_8)
                : null;
    }

    /** Passes each record of the log of nodes on at the moment at which it is appended. */
    public void watchNodes(ObjLongConsumer<NodeRecord> watcher) {
        SimPartition nodes = topic(NODES).getFirst();
        long[] next = {0};
        nodes.whenChanged(() -> {
            for (SimPartition.Entry entry : nodes.read(next[0], Integer.MAX_VALUE)) {
                next[0] = entry.offset() + 1;
                watcher.accept((NodeRecord) Objects.requireNonNull(entry.value()), entry.offset());
            }
        });
    }

    /** Returns whether the log of nodes does not answer. */
    public boolean isWithoutNodes() {
        return topic(NODES).getFirst().isAway();
    }

    /** Returns whether all partitions have leaders, and the coordinator answers. */
    public boolean isWhole() {
        return !coordinator.isAway() && all().stream().noneMatch(SimPartition::isAway);
    }

    /** Appends a record of a process that has ended, as soon as the log of nodes answers. */
    public void writeNode(NodeRecord record) {
        SimPartition nodes = topic(NODES).getFirst();
        nodes.whenLed(world.environment(), () -> nodes.append(null, record, null));
    }

    /** Returns the time until a node can read a record of another one. */
    long nodesDelay() {
        return world.nanoTime() < nodesSlowUntilNanos
                ? world.random().nextLong(SHORTEST_SLOW_MICROS, LONGEST_SLOW_MICROS)
                : world.delay();
    }

    /** Returns whether records of nodes were slow, or not accepted, within the last seconds. */
    public boolean areNodesSlow() {
        return isWithoutNodes() || world.nanoTime() < nodesTroubledUntilNanos;
    }

    private void troubleNodes(long micros) {
        nodesTroubledUntilNanos =
                Math.max(nodesTroubledUntilNanos, world.nanoTime() + (micros + TROUBLE_MICROS) * 1_000);
    }

    // Faults.

    /** Records of nodes are on their way for a long time, for this time, in microseconds. */
    public void slowNodes(long micros) {
        world.trace(() -> "kafka: records of nodes are slow for " + micros / 1_000 + " ms");
        troubleNodes(micros);
        nodesSlowUntilNanos = world.nanoTime() + micros * 1_000;
    }

    private List<SimPartition> all() {
        List<SimPartition> all = new ArrayList<>();
        topics.values().forEach(all::addAll);
        return all;
    }

    /** The leader of one partition is away for this time, in microseconds. */
    public void loseLeader(long micros) {
        List<SimPartition> all = all();
        SimPartition partition = all.get(world.random().nextInt(all.size()));
        world.trace(() -> "kafka: " + partition + " has no leader for " + micros / 1_000 + " ms");
        if (partition.isOf(NODES)) {
            troubleNodes(micros);
        }
        partition.away(true);
        world.after(world.environment(), micros, () -> partition.away(false));
    }

    /** The logs of queued and retained messages have no leaders for this time, in microseconds; all other partitions have. */
    public void loseLeaders(long micros) {
        world.trace(() -> "kafka: the bucket logs have no leaders for " + micros / 1_000 + " ms");
        List<SimPartition> lost = new ArrayList<>(topic(BUCKETS));
        lost.addAll(topic(RETAINED));
        lost.forEach(partition -> partition.away(true));
        world.after(world.environment(), micros, () -> lost.forEach(partition -> partition.away(false)));
    }

    /** Nothing of the cluster answers for this time, in microseconds. */
    public void lose(long micros) {
        world.trace(() -> "kafka: away for " + micros / 1_000 + " ms");
        troubleNodes(micros);
        coordinator.away(true);
        List<SimPartition> all = all();
        all.forEach(partition -> partition.away(true));
        world.after(world.environment(), micros, () -> {
            coordinator.away(false);
            all.forEach(partition -> partition.away(false));
        });
    }

    /** The transaction coordinator is away for this time, in microseconds. */
    public void loseCoordinator(long micros) {
        world.trace(() -> "kafka: the coordinator is away for " + micros / 1_000 + " ms");
        coordinator.away(true);
        world.after(world.environment(), micros, () -> coordinator.away(false));
    }

    /** Compacts all compacted topics. */
    public void compact() {
        world.trace(() -> "kafka: compacts");
        for (String topic : List.of(CLIENTS, RETAINED, PROGRESS)) {
            topic(topic).forEach(SimPartition::compact);
        }
    }
}

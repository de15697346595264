package io.heddle.core.simulation.kafka;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeLog;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Condemned;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import io.heddle.core.simulation.kafka.SimPartition.Entry;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The log of nodes as one process uses it. One append is on its way at a time. Until {@link #leaveStart}, everything
 * happens at once, because the product's join blocks.
 */
public final class SimNodeLog implements NodeLog, SimLife {
    private static final long RETRY_MICROS = 50_000;
    private static final long TIMEOUT_MICROS = 4_000_000;
    private static final long LONGEST_WAIT_MICROS = 2_000;
    private static final long LONGEST_RECONNECT_MICROS = 1_000_000;

    private final World world;
    private final SimProcess process;
    private final SimKafka kafka;
    private final SimPartition partition;
    private final SimFencing fencing;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private boolean starting = true;
    private boolean busy;
    private boolean scheduled;
    private @Nullable Follower follower;
    private BooleanSupplier isMember = () -> true;
    private Runnable over = () -> {};
    private long next;

    private record Pending(NodeRecord record, long untilNanos, CompletableFuture<Appended> answer) {}

    public SimNodeLog(World world, SimProcess process, SimKafka kafka) {
        this.world = world;
        this.process = process;
        this.kafka = kafka;
        this.partition = kafka.topic(SimKafka.NODES).getFirst();
        this.fencing = new SimFencing(world, process, kafka);
    }

    /**
     * The process has joined: from now on, calls and records take their time.
     *
     * @param member tells whether the process is a member as of the last record that it has read
     * @param onOver ends the process
     */
    public void leaveStart(BooleanSupplier member, Runnable onOver) {
        starting = false;
        isMember = member;
        over = onOver;
    }

    @Override
    public CompletionStage<Appended> append(NodeRecord record) {
        CompletableFuture<Appended> answer = new CompletableFuture<>();
        if (starting) {
            answer.complete(append(partition, record));
            read();
        } else if (record instanceof Dead dead && world.has(Mistake.FENCED_BEFORE_DEAD)) {
            var _ = fencing.fenceNow(ids(dead.incarnation())).thenRun(() -> send(asOfNow(dead), answer));
        } else {
            send(
                    record instanceof Heartbeat beat && world.has(Mistake.NAMED_ONCE_CONDEMNS) ? hasty(beat) : record,
                    answer);
        }
        return answer;
    }

    /** A heartbeat whose names count at once. */
    private static Heartbeat hasty(Heartbeat beat) {
        Map<Incarnation, Long> names = new HashMap<>();
        beat.unreachable().keySet().forEach(named -> names.put(named, 0L));
        return new Heartbeat(
                beat.writer(), beat.node(), beat.state(), beat.number(), beat.followed(), beat.buckets(), names);
    }

    private static Set<TransactionalId> ids(Incarnation incarnation) {
        return IntStream.range(0, SimKafkaClient.IDS)
                .mapToObj(turn -> new TransactionalId(incarnation, turn))
                .collect(Collectors.toSet());
    }

    /** A declaration that the records of the other node do not refute. */
    private Dead asOfNow(Dead dead) {
        return new Dead(dead.writer(), dead.incarnation(), partition.end());
    }

    private void send(NodeRecord record, CompletableFuture<Appended> answer) {
        pending.add(new Pending(record, world.nanoTime() + TIMEOUT_MICROS * 1_000, answer));
        sendNext();
    }

    private Appended append(SimPartition to, NodeRecord record) {
        long millis = world.millis();
        if (!(record instanceof Heartbeat beat)) {
            world.trace(() -> process + " writes " + record);
        } else if (!beat.unreachable().isEmpty()) {
            world.trace(() -> process + " does not reach " + beat.unreachable());
        }
        return new Appended(to.append(null, record, null), millis);
    }

    private void sendNext() {
        while (!busy && !pending.isEmpty()) {
            Pending first = pending.remove();
            if (world.nanoTime() > first.untilNanos) {
                fail(first);
            } else {
                busy = true;
                request(first);
            }
        }
    }

    private static void fail(Pending expired) {
        expired.answer.completeExceptionally(
                new StoreUnavailableException("Kafka has not accepted a record of a node", null));
    }

    private void request(Pending sent) {
        world.after(world.environment(), kafka.nodesDelay(), () -> {
            if (!partition.isAway()) {
                Appended appended = append(partition, sent.record);
                world.after(process, world.delay(), () -> {
                    busy = false;
                    sent.answer.complete(appended);
                    sendNext();
                });
            } else {
                world.after(process, RETRY_MICROS, () -> retry(sent));
            }
        });
    }

    private void retry(Pending sent) {
        if (world.nanoTime() <= sent.untilNanos) {
            request(sent);
            return;
        }
        busy = false;
        if (world.random().nextBoolean()) {
            // A request that was given up can be on its way.
            partition.whenLed(world.environment(), () -> append(partition, sent.record));
        }
        fail(sent);
        sendNext();
    }

    @Override
    public void follow(Follower listener) {
        if (follower != null) {
            throw new IllegalStateException("this log is followed already");
        }
        follower = listener;
        listener.onBeginning(partition.begin());
        partition.whenChanged(this::wakeSoon);
        read();
    }

    private void wakeSoon() {
        if (!scheduled && !starting && !process.isDead()) {
            scheduled = true;
            long asked = world.nanoTime();
            world.after(process, world.random().nextLong(10, LONGEST_WAIT_MICROS), () -> {
                boolean hasStoodStill = world.nanoTime() - asked > 2 * LONGEST_WAIT_MICROS * 1_000;
                if (hasStoodStill && world.oneIn(3)) {
                    // Its connection to Kafka was lost meanwhile.
                    world.after(process, world.random().nextLong(LONGEST_RECONNECT_MICROS), this::readOn);
                } else {
                    readOn();
                }
            });
        }
    }

    private void readOn() {
        scheduled = false;
        if (!partition.isAway()) {
            read();
        }
    }

    private void read() {
        Follower to = follower;
        if (to == null) {
            return;
        }
        List<Entry> entries = partition.read(
                next, starting ? Integer.MAX_VALUE : 1 + world.random().nextInt(20));
        for (Entry entry : entries) {
            next = entry.offset() + 1;
            if (!(entry.value() instanceof NodeRecord record)) {
                throw new IllegalStateException("no record of a node: " + entry);
            }
            if (!(record instanceof Condemned && world.has(Mistake.CONDEMNED_STILL_HEARD))) {
                to.onRecord(entry.offset(), record);
            }
        }
        to.onReached(next);
        if (next < partition.end()) {
            wakeSoon();
        }
    }

    @Override
    public CompletionStage<Bounds> bounds() {
        CompletableFuture<Bounds> answer = new CompletableFuture<>();
        if (starting) {
            answer.complete(new Bounds(partition.begin(), partition.end()));
        } else {
            askBounds(answer, world.nanoTime() + TIMEOUT_MICROS * 1_000);
        }
        return answer;
    }

    private void askBounds(CompletableFuture<Bounds> answer, long untilNanos) {
        world.after(world.environment(), world.delay(), () -> {
            if (!partition.isAway()) {
                Bounds bounds = new Bounds(partition.begin(), partition.end());
                world.after(process, world.delay(), () -> answer.complete(bounds));
            } else if (world.nanoTime() > untilNanos) {
                world.after(
                        process,
                        0,
                        () -> answer.completeExceptionally(new StoreUnavailableException(
                                "Kafka does not tell the end of the log of nodes", null)));
            } else {
                world.after(process, RETRY_MICROS, () -> askBounds(answer, untilNanos));
            }
        });
    }

    @Override
    public void confirm(Runnable alive) {
        if (world.has(Mistake.FENCE_UNDONE)) {
            alive.run();
            return;
        }
        bounds().whenComplete((bounds, failure) -> {
            if (failure == null) {
                confirm(bounds.end(), alive);
            } else {
                confirm(alive);
            }
        });
    }

    private void confirm(long end, Runnable alive) {
        if (next < end) {
            world.after(process, LONGEST_WAIT_MICROS, () -> confirm(end, alive));
        } else if (isMember.getAsBoolean()) {
            alive.run();
        } else {
            over.run();
        }
    }
}

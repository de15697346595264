package io.heddle.core.cluster;

import io.heddle.core.FailureLog;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.NodeLog.Appended;
import io.heddle.core.cluster.NodeLog.Bounds;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.OfMember;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of this node: follows the log of nodes, writes heartbeats, and declares silent members dead. States: new → joined → left, or
 * over once the node reads that it was declared dead. A node that is over writes no more records, and its process must end.
 *
 * <p>Thread-safe. A thread of the log applies the records, and a thread for heartbeats calls {@link #beat}. The methods that block belong to
 * the threads that start and stop the broker and to those that commit.
 */
public final class Membership implements NodeLife, NodeLog.Follower {
    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    // Dependencies.
    private final NodeLog nodes;
    private final MembershipSettings settings;
    private final RoutingLease lease;
    private final LongSupplier nanoTime;
    private final Consumer<String> onOver;
    private final MembershipMetrics metrics;

    private volatile BiConsumer<View, NodeRecord> onRecord = (_, _) -> {};
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final HeartbeatMonitor monitor;
    private View view;
    private long followed;
    private @Nullable Incarnation me;
    private boolean hasLeft;
    private @Nullable String over;

    /**
     * @param beginning the view of a log without records
     * @param processes tells which members have ended without leaving
     * @param lease renewed by the heartbeats; its tasks run with the lock of this membership and must not block
     * @param onOver receives one sentence, once, when this node is over; must not block
     */
    public Membership(
            NodeLog nodes,
            MembershipSettings settings,
            View beginning,
            ProcessEvidence processes,
            RoutingLease lease,
            LongSupplier nanoTime,
            Consumer<String> onOver,
            MeterRegistry registry) {
        this.nodes = nodes;
        this.settings = settings;
        this.lease = lease;
        this.nanoTime = nanoTime;
        this.onOver = onOver;
        this.monitor = new HeartbeatMonitor(settings, processes);
        this.view = beginning;
        this.metrics = new MembershipMetrics(() -> view().members().size(), registry);
    }

    /**
     * Reads the whole log and joins. Blocks. Called once.
     *
     * @param random drawn for this incarnation
     * @return the place of this node's record
     * @throws StoreUnavailableException if the log does not answer in time
     */
    public Appended join(int random) throws InterruptedException {
        nodes.follow(this);
        awaitFollowed(answer(nodes.bounds()).end());
        Appended joined = answer(nodes.append(new Joined(settings.node(), random)));
        guarded(() -> me = new Incarnation(joined.offset(), random));
        awaitFollowed(joined.offset() + 1);
        guarded(this::requireMember);
        return joined;
    }

    @Override
    public Incarnation incarnation() {
        return read(() -> {
            if (me == null) {
                throw new IllegalStateException("this node has not joined");
            }
            return me;
        });
    }

    public MembershipSettings settings() {
        return settings;
    }

    /** Returns whether an incarnation is that of this node. */
    public boolean isSelf(Incarnation incarnation) {
        return read(() -> incarnation.equals(me));
    }

    @Override
    public boolean isOver() {
        return read(() -> over != null);
    }

    /** Returns the view as of the last followed record. */
    public View view() {
        return read(() -> view);
    }

    /** Adds an action for each record and the view after it, on the thread of the log, without the lock. It must not block. Before the join. */
    public void onRecord(BiConsumer<View, NodeRecord> action) {
        onRecord = onRecord.andThen(action);
    }

    /** Appends a record and blocks until this node has applied it. Returns the place of the record. */
    public Appended write(NodeRecord record) throws InterruptedException {
        Appended written = answer(nodes.append(record));
        awaitFollowed(written.offset() + 1);
        return written;
    }

    /** Writes a heartbeat unless the last one is still on its way, and declares silent and ended members dead. Does not block for an answer. */
    public void beat() {
        Heartbeat beat = null;
        List<Dead> deaths;
        lock.lock();
        try {
            Member member = me == null ? null : view.member(me);
            if (member == null || hasLeft || over != null) {
                return;
            }
            long now = nanoTime.getAsLong();
            if (!monitor.isOnItsWay(now)) {
                beat = new Heartbeat(
                        member.incarnation(),
                        settings.node(),
                        member.state(),
                        monitor.send(now),
                        followed,
                        view.heldBy(member.incarnation()));
            }
            deaths = monitor.declarations(view, member.incarnation());
        } finally {
            lock.unlock();
        }
        if (beat != null) {
            send(beat);
        }
        deaths.forEach(this::declare);
    }

    private void send(Heartbeat beat) {
        var _ = nodes.append(beat).whenComplete((_, fault) -> {
            if (fault != null && read(() -> monitor.onRefused(beat.number(), nanoTime.getAsLong()))) {
                FailureLog.warn(log, "Kafka has accepted no heartbeat of this node for the lease", fault);
            } else if (fault != null) {
                // A leader of Kafka that changes, or a Kafka that restarts, is away for some seconds.
                log.info("Kafka did not accept a heartbeat of this node: {}", fault.getMessage());
            }
        });
    }

    private void declare(Dead dead) {
        Member member = view().member(dead.incarnation());
        if (member != null) {
            String address = member.node().address();
            log.warn(
                    "Declaring a node dead that is silent or has ended: nodeId={}, incarnation={}{}",
                    member.node().id(),
                    dead.incarnation(),
                    address.isEmpty() ? "" : ", address=" + address);
            metrics.declaredDead(member.node().id()).increment();
        }
        var _ = nodes.append(dead).whenComplete((_, fault) -> {
            if (fault != null) {
                guarded(() -> monitor.onDeclarationRefused(dead));
                FailureLog.warn(log, "Kafka did not accept the declaration that a node is dead", fault);
            }
        });
    }

    /** Declares all other members dead, for a node that is alone on its stores. Does not block for an answer. */
    public void declareOthersDead() {
        read(() -> monitor.declarationsOfAll(view, incarnation())).forEach(this::declare);
    }

    /**
     * Blocks until the condition holds for the view, at most for this time.
     *
     * @return whether it holds
     * @throws NodeOverException if this node is over
     */
    public boolean await(Predicate<View> condition, Duration atMost) throws InterruptedException {
        return await(() -> condition.test(view), atMost);
    }

    private void awaitFollowed(long end) throws InterruptedException {
        if (!await(() -> followed >= end, settings.timeout())) {
            throw new StoreUnavailableException("the log of nodes was not read to offset " + end + " in time", null);
        }
    }

    private boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (true) {
                if (over != null) {
                    throw new NodeOverException(over);
                }
                if (condition.getAsBoolean()) {
                    return true;
                }
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Reads the log to the end that it has now; throws {@link NodeOverException} if this node is over. */
    private void confirm() throws InterruptedException {
        Bounds bounds = answer(nodes.bounds());
        awaitFollowed(bounds.end());
        guarded(() -> {
            Member member = me == null ? null : view.member(me);
            if (member != null && member.lastRecord() < bounds.beginning()) {
                // A node that started since then has not seen this node, and could not declare it dead.
                end("the cluster has forgotten this node, which was silent for longer than " + NodeLog.NAME
                        + " is kept");
            }
            requireMember();
        });
    }

    @Override
    public boolean isConfirmed() throws InterruptedException {
        try {
            confirm();
            return true;
        } catch (NodeOverException e) {
            log.debug("This node is over", e);
            return false;
        }
    }

    /** Called with the lock. Throws unless this node is a member as of the last followed record. */
    private void requireMember() {
        checkLife();
        if (over != null) {
            throw new NodeOverException(over);
        }
        if (hasLeft) {
            throw new NodeOverException("This node has left the cluster");
        }
    }

    private <T> T answer(CompletionStage<T> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new StoreUnavailableException(
                    "Kafka did not answer about " + NodeLog.NAME, e.getCause() == null ? e : e.getCause());
        }
    }

    /** Writes that this node has left, and waits for the answer. Does nothing if the node is over or has not joined. */
    public void leave(Duration atMost) throws InterruptedException {
        Incarnation leaving;
        lock.lock();
        try {
            if (me == null || hasLeft || over != null) {
                return;
            }
            leaving = me;
            hasLeft = true;
        } finally {
            lock.unlock();
        }
        try {
            nodes.append(new Left(leaving)).toCompletableFuture().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            log.info("Left the cluster: incarnation={}", leaving);
        } catch (ExecutionException | TimeoutException e) {
            FailureLog.warn(log, "Kafka did not accept that this node leaves; the others will declare it dead", e);
        }
    }

    @Override
    public void onBeginning(long offset) {
        guarded(() -> {
            view = View.atBeginning(offset, view.bucketCount());
            followed = offset;
        });
    }

    @Override
    public void onRecord(long offset, NodeRecord record) {
        guarded(() -> {
            View before = view;
            view = before.after(offset, record);
            followed = offset + 1;
            hear(offset, record);
            if (view.members().size() < before.members().size()) {
                monitor.onMemberEnded(view);
                checkLife();
            }
            changed.signalAll();
        });
        onRecord.accept(view(), record);
    }

    private void hear(long offset, NodeRecord record) {
        switch (record) {
            case Joined joined -> monitor.onRecord(new Incarnation(offset, joined.random()));
            case Heartbeat beat
            when beat.writer().equals(me) -> {
                long now = nanoTime.getAsLong();
                long took = monitor.onReadBack(beat, now);
                if (took >= 0) {
                    metrics.readBack(took, view.members());
                    if (over == null) {
                        lease.renew(now - took);
                    }
                }
            }
            case OfMember other -> monitor.onRecord(other.writer());
        }
    }

    @Override
    public void onReached(long next) {
        guarded(() -> {
            followed = Math.max(followed, next);
            changed.signalAll();
        });
    }

    @Override
    public void onLost(String reason) {
        end(reason);
    }

    /** Called with the lock. */
    private void checkLife() {
        if (me != null && !hasLeft && followed > me.offset() && !view.isMember(me)) {
            end("another node has declared this node dead (incarnation " + me + ")");
        }
    }

    /** This node is over for this reason, unless it has left or was over before. */
    public void end(String reason) {
        guarded(() -> {
            if (over == null && !hasLeft) {
                over = "This node is over: " + reason + "; start it again";
                changed.signalAll();
                onOver.accept(over);
            }
        });
    }

    private <T> T read(Supplier<T> value) {
        lock.lock();
        try {
            return value.get();
        } finally {
            lock.unlock();
        }
    }

    private void guarded(Runnable task) {
        boolean _ = read(() -> {
            task.run();
            return true;
        });
    }
}

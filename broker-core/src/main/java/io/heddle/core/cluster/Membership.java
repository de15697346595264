package io.heddle.core.cluster;

import io.heddle.core.FailureLog;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.NodeDescription.ProcessEvidence;
import io.heddle.core.cluster.NodeLog.Appended;
import io.heddle.core.cluster.NodeLog.Bounds;
import io.heddle.core.cluster.NodeRecord.Condemned;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.OfMember;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of this node: follows the log of nodes, writes heartbeats, declares silent members dead, and condemns those with broken
 * links. States: new → joined → left, or over once the node reads that it was declared dead or condemned. A node that is over writes no more
 * records, except that it leaves when it was condemned, and its process must end.
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
    private final Verdicts verdicts;
    private final Timer heartbeat;

    private volatile BiConsumer<View, NodeRecord> onRecord = (_, _) -> {};
    private final FollowedView followed;
    // Guarded by the lock of the view.
    private final HeartbeatMonitor monitor;
    private @Nullable Incarnation me;
    private boolean hasLeft;
    private int condemnations;

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
        this.monitor = new HeartbeatMonitor(settings, processes, nanoTime.getAsLong());
        this.followed = new FollowedView(beginning);
        this.verdicts = new Verdicts(nodes, registry);
        this.heartbeat = Timer.builder("heddle.cluster.heartbeat")
                .description("Heartbeats of this node, until the node has read them back from Kafka")
                .register(registry);
        Gauge.builder("heddle.cluster.nodes", () -> view().members().size())
                .description("Members of the cluster as this node knows them")
                .register(registry);
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
        followed.guarded(() -> me = new Incarnation(joined.offset(), random));
        awaitFollowed(joined.offset() + 1);
        followed.guarded(this::requireMember);
        return joined;
    }

    @Override
    public Incarnation incarnation() {
        return followed.read(() -> {
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
        return followed.read(() -> incarnation.equals(me));
    }

    @Override
    public boolean isOver() {
        return followed.over() != null;
    }

    /** Returns the view as of the last followed record. */
    public View view() {
        return followed.view();
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

    /**
     * Lets this node name members to which its links do not work. Before the join.
     *
     * @param silentNanos returns for how long the other end of the link to a member has handled nothing
     */
    public void observeLinks(ToLongFunction<Incarnation> silentNanos) {
        followed.guarded(() -> monitor.unreachable().observe(silentNanos));
    }

    /** Returns how often a node with the id of this one was condemned, as far as the log is kept. */
    public int condemnations() {
        return followed.read(() -> condemnations);
    }

    /**
     * Writes a heartbeat unless the last one is still on its way, declares silent and ended members dead, and condemns a member whose links
     * are broken. Does not block for an answer.
     */
    public void beat() {
        List<Runnable> due = new ArrayList<>();
        followed.guarded(() -> {
            View view = view();
            Member member = me == null ? null : view.member(me);
            if (member == null || hasLeft || isOver()) {
                return;
            }
            Incarnation self = member.incarnation();
            long now = nanoTime.getAsLong();
            monitor.unreachable().onBeat(now);
            if (!monitor.isOnItsWay(now)) {
                Heartbeat beat = new Heartbeat(
                        self,
                        settings.node(),
                        member.state(),
                        monitor.send(now),
                        followed.followed(),
                        view.heldBy(self),
                        monitor.names(view, self, now));
                due.add(() -> send(beat));
            }
            monitor.declarations(view, self).forEach(each -> due.add(() -> declare(each)));
            Incarnation leaving = view.mustLeave();
            if (leaving != null) {
                due.add(() -> verdicts.condemn(new Condemned(self, leaving)));
            }
        });
        due.forEach(Runnable::run);
    }

    private void send(Heartbeat beat) {
        var _ = nodes.append(beat).whenComplete((_, fault) -> {
            if (fault != null && followed.read(() -> monitor.onRefused(beat.number(), nanoTime.getAsLong()))) {
                FailureLog.warn(log, "Kafka has accepted no heartbeat of this node for the lease", fault);
            } else if (fault != null) {
                // A leader of Kafka that changes, or a Kafka that restarts, is away for some seconds.
                log.info("Kafka did not accept a heartbeat of this node: {}", fault.getMessage());
            }
        });
    }

    private void declare(Dead dead) {
        verdicts.declareDead(dead, view(), refused -> followed.guarded(() -> monitor.onDeclarationRefused(refused)));
    }

    /** Declares all other members dead, for a node that is alone on its stores. Does not block for an answer. */
    public void declareOthersDead() {
        followed.read(() -> monitor.declarationsOfAll(view(), incarnation())).forEach(this::declare);
    }

    /**
     * Blocks until the condition holds for the view, at most for this time.
     *
     * @return whether it holds
     * @throws NodeOverException if this node is over
     */
    public boolean await(Predicate<View> condition, Duration atMost) throws InterruptedException {
        return followed.await(() -> condition.test(view()), atMost);
    }

    private void awaitFollowed(long end) throws InterruptedException {
        if (!followed.await(() -> followed.followed() >= end, settings.timeout())) {
            throw new StoreUnavailableException("the log of nodes was not read to offset " + end + " in time", null);
        }
    }

    /** Reads the log to the end that it has now; throws {@link NodeOverException} if this node is over. */
    private void confirm() throws InterruptedException {
        Bounds bounds = answer(nodes.bounds());
        awaitFollowed(bounds.end());
        followed.guarded(() -> {
            Member member = me == null ? null : view().member(me);
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
        String over = followed.over();
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
        Incarnation leaving = followed.read(() -> {
                    boolean leaves = me != null && !hasLeft && !isOver();
                    hasLeft |= leaves;
                    return Optional.ofNullable(leaves ? me : null);
                })
                .orElse(null);
        if (leaving == null) {
            return;
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
        followed.begin(View.atBeginning(offset, view().bucketCount()), offset);
    }

    @Override
    public void onRecord(long offset, NodeRecord record) {
        followed.guarded(() -> {
            View before = view();
            followed.apply(offset, record);
            View view = view();
            hear(offset, record);
            if (record instanceof Condemned condemned
                    && view.isCondemned(condemned.incarnation())
                    && !before.isCondemned(condemned.incarnation())) {
                onCondemned(Objects.requireNonNull(view.member(condemned.incarnation()), "a condemned member"), view);
            }
            if (view.members().size() < before.members().size()) {
                monitor.onMemberEnded(view);
                checkLife();
            }
        });
        Incarnation self = followed.read(() -> Optional.ofNullable(hasLeft || isOver() ? null : me))
                .orElse(null);
        if (self != null && view().isCondemned(self)) {
            leaveAtOnce(self);
        }
        onRecord.accept(view(), record);
    }

    /** Called with the lock. */
    private void onCondemned(Member condemned, View view) {
        monitor.onCondemned(condemned.incarnation());
        if (me != null) {
            verdicts.onCondemned(condemned, view);
        }
        if (condemned.node().id().equals(settings.node().id())) {
            condemnations++;
        }
        if (condemned.incarnation().equals(me)) {
            // This node must acknowledge nothing more. The nodes that take its buckets fence its producers.
            lease.end();
        }
    }

    /** Leaves the cluster, because this node was condemned. */
    private void leaveAtOnce(Incarnation self) {
        var _ = nodes.append(new Left(self));
        end("links between nodes are broken, and this node must leave: " + Verdicts.brokenLinks(view()));
    }

    private void hear(long offset, NodeRecord record) {
        switch (record) {
            case Joined joined -> monitor.onRecord(new Incarnation(offset, joined.random()), nanoTime.getAsLong());
            case Heartbeat beat
            when beat.writer().equals(me) -> {
                long now = nanoTime.getAsLong();
                long took = monitor.onReadBack(beat, offset, now);
                if (took >= 0) {
                    heartbeat.record(took, TimeUnit.NANOSECONDS);
                    verdicts.register(view().members());
                    if (!isOver()) {
                        lease.renew(now - took);
                    }
                }
            }
            case OfMember other -> monitor.onRecord(other.writer(), nanoTime.getAsLong());
        }
    }

    @Override
    public void onReached(long next) {
        followed.reached(next);
    }

    @Override
    public void onLost(String reason) {
        end(reason);
    }

    /** Called with the lock. */
    private void checkLife() {
        if (me != null && !hasLeft && followed.followed() > me.offset() && !view().isMember(me)) {
            end("another node has declared this node dead (incarnation " + me + ")");
        }
    }

    /** This node is over for this reason, unless it has left or was over before. */
    public void end(String reason) {
        followed.guarded(() -> {
            if (!isOver() && !hasLeft) {
                String sentence = "This node is over: " + reason + "; start it again";
                followed.end(sentence);
                onOver.accept(sentence);
            }
        });
    }
}

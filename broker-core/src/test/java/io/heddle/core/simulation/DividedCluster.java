package io.heddle.core.simulation;

import io.heddle.core.cluster.BucketOwnership;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.View;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.simulation.client.Interruptions;
import io.heddle.core.simulation.client.Interruptions.Interruption;
import io.heddle.core.simulation.client.SimConnection;
import io.heddle.core.simulation.kafka.SimKafka;
import io.heddle.core.simulation.link.SimLinks;
import io.heddle.core.simulation.redis.SimRedis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Processes that all serve, and their stores. Between one and four of them live at a time; in one run of four, up to nine. */
final class DividedCluster implements Cluster {
    private static final long LEASE_MICROS = DividedNode.LEASE.toNanos() / 1_000;
    private static final long CLOCK_OFFSET_MILLIS = 1_500;
    private static final long LINK_BYTES = 30_000;
    private static final int PAYLOAD_BYTES = 20_000;

    private final World world;
    private final SimKafka kafka;
    private final SimRedis redis;
    private final SimLinks links;
    private final Interruptions interruptions;
    // Fewer are replaced.
    private final int wanted;
    private final int maximum;
    // Whether processes can look up that another one has ended.
    private final boolean onOneMachine;
    private final List<DividedNode> nodes = new ArrayList<>();
    // As of the last record, before any process reads it.
    private View view = View.atBeginning(0, DividedNode.BUCKETS, BucketOwnership.DIVIDED);
    private boolean areClocksWrong;
    private int started;

    DividedCluster(World world, Interruptions interruptions) {
        this.world = world;
        this.interruptions = interruptions;
        this.kafka = SimKafka.ofServingNodes(world, DividedNode.BUCKETS);
        this.redis = new SimRedis(world);
        this.links = new SimLinks(world, new SimLinks.Bounds(2, PAYLOAD_BYTES, LINK_BYTES), fault -> {
            throw new SimulationFailure("a receiver of frames fails: " + fault, fault);
        });
        boolean isLarge = world.oneIn(4);
        this.wanted = isLarge ? 6 : 3;
        this.maximum = isLarge ? 9 : 4;
        this.onOneMachine = world.random().nextBoolean();
        kafka.watchNodes(this::onRecord);
    }

    World world() {
        return world;
    }

    SimKafka kafka() {
        return kafka;
    }

    SimRedis redis() {
        return redis;
    }

    SimLinks links() {
        return links;
    }

    boolean hasEnded(String processName) {
        return onOneMachine
                && nodes.stream()
                        .filter(node -> node.process().toString().equals(processName))
                        .anyMatch(node -> !node.isAlive());
    }

    /** A record of the log of nodes was appended. The wills of a node that is declared dead are due from now on. */
    private void onRecord(NodeRecord record, long offset) {
        View before = view;
        view = before.after(offset, record);
        for (DividedNode node : nodes) {
            if (before.isMember(node.me()) && !view.isMember(node.me())) {
                node.connections().onTakenOver();
            }
        }
    }

    @Override
    public void start() {
        for (int i = 0; i < wanted; i++) {
            world.after(world.environment(), world.random().nextLong(300_000), this::startNode);
        }
        replaceEnded();
    }

    private void replaceEnded() {
        world.after(world.environment(), world.random().nextLong(1_000, 1_500_000), () -> {
            if (living().size() < wanted) {
                startNode();
            }
            replaceEnded();
        });
    }

    /** Starts a node unless it cannot join now, or there are enough. */
    private void startNode() {
        if (kafka.isWithoutNodes() || living().size() == maximum) {
            return;
        }
        started++;
        DividedNode node = new DividedNode(
                this, started, areClocksWrong ? world.random().nextLong(-CLOCK_OFFSET_MILLIS, CLOCK_OFFSET_MILLIS) : 0);
        nodes.add(node);
        node.start();
    }

    private List<DividedNode> living() {
        return nodes.stream().filter(DividedNode::isAlive).toList();
    }

    private List<DividedNode> serving() {
        return nodes.stream().filter(DividedNode::isServing).toList();
    }

    private <T> @Nullable T any(List<T> all) {
        return all.isEmpty() ? null : all.get(world.random().nextInt(all.size()));
    }

    @Override
    public @Nullable SimEntry entry() {
        return any(serving());
    }

    @Override
    public void strike(Fault fault) {
        switch (fault) {
            case LEADER_AWAY, KAFKA_AWAY, COORDINATOR_AWAY, COMPACTION -> FaultPlan.strike(fault, world, kafka);
            case REDIS_AWAY, REDIS_SLOW, REDIS_ROLLED_BACK -> FaultPlan.strike(fault, world, redis);
            case CLOCK_SKEW -> areClocksWrong = true;
            case JOIN -> startNode();
            case LINK_CUT, LINK_BROKEN -> strikeLink(fault);
            case KILL, FREEZE, NETWORK, LATE_APPENDS, ZOMBIE, LEAVE -> {
                DividedNode node = any(living());
                if (node != null) {
                    strike(fault, node);
                }
            }
            case STALE_ROUTES, STUCK_FENCE -> throw new IllegalArgumentException(fault + " needs one node that serves");
        }
    }

    private void strike(Fault fault, DividedNode node) {
        switch (fault) {
            case KILL -> {
                if (world.random().nextBoolean()) {
                    kill(node);
                } else {
                    killAtAnswer(node);
                }
            }
            case FREEZE -> freeze(node, world.random().nextLong(1_000, LEASE_MICROS));
            case ZOMBIE -> freeze(node, world.random().nextLong(LEASE_MICROS / 2, 6 * LEASE_MICROS));
            case LATE_APPENDS -> endWithLateAppends(node);
            case LEAVE -> leave(node);
            default -> {
                if (world.oneIn(3)) {
                    node.connections().reset();
                } else {
                    node.connections().loseAnswer();
                }
            }
        }
    }

    private void kill(DividedNode node) {
        if (node.isAlive()) {
            world.trace(() -> "kill -9 " + node.process());
            node.kill();
        }
    }

    /** The next node that sends messages to clients of another one dies with them. */
    void killAtPush() {
        links.loseNextPush(sender ->
                living().stream().filter(node -> node.process().equals(sender)).forEach(this::kill));
    }

    private void killAtAnswer(DividedNode node) {
        Class<? extends MqttPacket> type = SimConnections.anyAnswer(world);
        node.connections()
                .whenSent(
                        type,
                        _ -> world.after(world.environment(), world.random().nextInt(500), () -> {
                            world.trace(() -> "after " + type.getSimpleName());
                            kill(node);
                        }));
    }

    private void freeze(DividedNode node, long micros) {
        if (node.isAlive() && !node.process().isFrozen()) {
            world.trace(() -> "SIGSTOP " + node.process() + " for " + micros / 1_000 + " ms");
            node.process().freeze();
            List<Interruption> begun = living().stream()
                    .map(other -> interruptions.begin(node.process(), other.process()))
                    .toList();
            world.after(world.environment(), micros, () -> {
                world.trace(() -> "SIGCONT " + node.process());
                node.process().thaw(world);
                begun.forEach(interruptions::end);
            });
        }
    }

    /** The process stands still and never does anything again, but its buffers reach Kafka late. */
    private void endWithLateAppends(DividedNode node) {
        kafka.loseLeaders(1_000_000);
        world.after(world.environment(), world.random().nextLong(1, 800_000), () -> {
            if (node.isAlive()) {
                world.trace(() -> node.process() + " is over; its buffers land later");
                node.kill();
                node.kafka().landLate(() -> {});
            }
        });
    }

    /** The process closes its connections and its producers, and leaves. */
    private void leave(DividedNode node) {
        if (!node.isServing() || node.process().isFrozen() || serving().size() < 2) {
            return;
        }
        world.trace(() -> node.process() + " leaves");
        node.connections().reset();
        world.after(world.environment(), 300_000, () -> {
            if (node.isAlive() && !node.process().isFrozen()) {
                node.kill();
                world.after(world.environment(), 200_000, () -> kafka.writeNode(new Left(node.me())));
            }
        });
    }

    private void strikeLink(Fault fault) {
        DividedNode one = any(living());
        DividedNode other = any(living());
        if (one == null || other == null || one.equals(other)) {
            return;
        }
        Incarnation from = one.me();
        Incarnation to = other.me();
        if (fault == Fault.LINK_BROKEN) {
            links.reset(from, to);
            return;
        }
        boolean both = world.random().nextBoolean();
        Interruption begun = interruptions.begin(one.process(), other.process());
        links.cut(from, to);
        if (both) {
            links.cut(to, from);
        }
        long micros = FaultPlan.outage(world);
        world.after(world.environment(), micros, () -> {
            links.heal(from, to);
            if (both) {
                links.heal(to, from);
            }
            interruptions.end(begun);
        });
    }

    @Override
    public void heal() {
        links.healAll();
    }

    @Override
    public void restart() {
        DividedNode node = any(living());
        if (node != null) {
            kill(node);
        }
    }

    @Override
    public @Nullable String retained(String topic) {
        return kafka.retained(topic);
    }

    @Override
    public boolean isSettled() {
        List<DividedNode> living = living();
        if (!kafka.isWhole()
                || living.isEmpty()
                || view.members().size() != living.size()
                || !view.free().isEmpty()) {
            return false;
        }
        for (DividedNode node : living) {
            Set<Integer> owned = view.ownedBy(node.me());
            if (node.process().isFrozen() || !node.isSettled() || !owned.equals(view.heldBy(node.me()))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void check() {
        checkConnections();
        checkReplicas();
        living().forEach(DividedNode::checkAccounts);
    }

    /** All nodes know the same sessions and subscriptions. */
    private void checkReplicas() {
        List<DividedNode> living = living();
        Map<String, String> first = living.getFirst().sessions();
        for (DividedNode node : living) {
            Map<String, String> sessions = node.sessions();
            if (!sessions.equals(first)) {
                throw new SimulationFailure("the nodes know different sessions: "
                        + living.getFirst().process() + " " + first + ", " + node.process() + " " + sessions);
            }
        }
    }

    /** At most one connection of each client is left. */
    private void checkConnections() {
        Map<String, DividedNode> connected = new HashMap<>();
        for (DividedNode node : living()) {
            for (SimConnection connection : node.connections().all()) {
                if (connection.isEstablished()) {
                    DividedNode before = connected.put(connection.clientId(), node);
                    if (before != null) {
                        throw new SimulationFailure(connection.clientId() + " is connected to " + before.process()
                                + " and to " + node.process());
                    }
                }
            }
        }
    }
}

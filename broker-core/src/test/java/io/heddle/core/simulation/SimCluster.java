package io.heddle.core.simulation;

import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.MemberState;
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

/**
 * The nodes of one run and their stores. The seed chooses their number, between one and four. One more may join, also in the place of one that
 * stands still.
 */
final class SimCluster {
    private static final long LEASE_MICROS = SimNode.LEASE.toNanos() / 1_000;
    private static final long CLOCK_OFFSET_MILLIS = 1_500;
    private static final long LINK_BYTES = 30_000;
    private static final int PAYLOAD_BYTES = 20_000;

    private final World world;
    private final SimKafka kafka;
    private final SimRedis redis;
    private final SimLinks links;
    private final LinkFaults linkFaults;
    private final Interruptions interruptions;
    // Fewer are replaced.
    private final int wanted;
    private final int maximum;
    // Whether processes can look up that another one has ended.
    private final boolean onOneMachine;
    private final List<SimNode> nodes = new ArrayList<>();
    // As of the last record, before any process reads it.
    private View view = View.atBeginning(0, SimNode.BUCKETS);
    private boolean areClocksWrong;
    // Not started again yet.
    private final List<SimNode> condemned = new ArrayList<>();
    private int hosts;
    private int started;

    SimCluster(World world, Interruptions interruptions) {
        this.world = world;
        this.interruptions = interruptions;
        this.kafka = new SimKafka(world, SimNode.BUCKETS);
        this.redis = new SimRedis(world);
        this.links = new SimLinks(world, new SimLinks.Bounds(2, PAYLOAD_BYTES, LINK_BYTES), fault -> {
            throw new SimulationFailure("a receiver of frames fails: " + fault, fault);
        });
        this.linkFaults = new LinkFaults(world, links, interruptions);
        this.wanted = world.random().nextInt(1, 5);
        this.maximum = wanted + 1;
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
        for (SimNode node : nodes) {
            Member member = view.member(node.me());
            Member earlier = before.member(node.me());
            if (member != null && earlier != null && member.state() != earlier.state()) {
                onState(node, member.state());
            }
            if (before.isMember(node.me()) && !view.isMember(node.me())) {
                node.connections().onTakenOver();
            }
        }
    }

    private void onState(SimNode node, MemberState state) {
        if (state == MemberState.CONDEMNED) {
            condemned.add(node);
            linkFaults.onCondemned(node, members(), kafka.areNodesSlow());
        } else if (state == MemberState.SERVING) {
            linkFaults.onServing(node, members());
        }
    }

    public void start() {
        for (int i = 0; i < wanted; i++) {
            world.after(world.environment(), world.random().nextLong(300_000), this::startNode);
        }
        replaceEnded();
    }

    private void replaceEnded() {
        world.after(world.environment(), world.random().nextLong(1_000, 1_500_000), () -> {
            boolean isAnyMissing = condemned.stream().anyMatch(node -> !node.isAlive());
            long left =
                    living().stream().filter(node -> !condemned.contains(node)).count();
            if (isAnyMissing || left + condemned.size() < wanted) {
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
        SimNode before =
                condemned.stream().filter(node -> !node.isAlive()).findFirst().orElse(null);
        condemned.remove(before);
        int number = before == null ? ++hosts : before.number();
        started++;
        SimNode node = new SimNode(
                this,
                number,
                started,
                areClocksWrong ? world.random().nextLong(-CLOCK_OFFSET_MILLIS, CLOCK_OFFSET_MILLIS) : 0);
        nodes.add(node);
        node.start();
    }

    private List<SimNode> living() {
        return nodes.stream().filter(SimNode::isAlive).toList();
    }

    /** The nodes that serve as of the last record of the log of nodes. */
    private List<SimNode> members() {
        return nodes.stream()
                .filter(node -> {
                    Member member = view.member(node.me());
                    return member != null && member.state() == MemberState.SERVING;
                })
                .toList();
    }

    private List<SimNode> serving() {
        return nodes.stream().filter(SimNode::isServing).toList();
    }

    private <T> @Nullable T any(List<T> all) {
        return all.isEmpty() ? null : all.get(world.random().nextInt(all.size()));
    }

    public @Nullable SimNode entry() {
        return any(serving());
    }

    public void strike(Fault fault) {
        switch (fault) {
            case LEADER_AWAY, KAFKA_AWAY, COORDINATOR_AWAY, COMPACTION, SLOW_HEARTBEATS ->
                FaultPlan.strike(fault, world, kafka);
            case REDIS_AWAY, REDIS_SLOW, REDIS_ROLLED_BACK -> FaultPlan.strike(fault, world, redis);
            case CLOCK_SKEW -> areClocksWrong = true;
            case JOIN -> startNode();
            case LINK_CUT, LINK_BROKEN, LINK_ONE_WAY, LINK_FLAP, LINK_HALVES, LINKS_ALL, STUCK_LOOP ->
                linkFaults.strike(fault, living());
            default -> {
                SimNode node = any(living());
                if (node != null) {
                    strike(fault, node);
                }
            }
        }
    }

    private void strike(Fault fault, SimNode node) {
        switch (fault) {
            case KILL -> {
                switch (world.random().nextInt(3)) {
                    case 0 -> kill(node);
                    case 1 -> killAtAnswer(node);
                    default -> node.kafka().beforeNextCommitIsAnswered(() -> kill(node));
                }
            }
            case FREEZE -> freeze(node, world.random().nextLong(1_000, LEASE_MICROS), false);
            case CLOCK_STOPS -> freeze(node, world.random().nextLong(1_000, 3 * LEASE_MICROS), true);
            case STUCK_FOLLOWER -> node.kafka().stickFollower(world.random().nextLong(1_000, 3 * LEASE_MICROS));
            case ZOMBIE -> freeze(node, world.random().nextLong(LEASE_MICROS / 2, 6 * LEASE_MICROS), false);
            case STALE_ROUTES -> freezeAndMoveClients(node);
            case STUCK_FENCE -> freezeBeforeFenced(node);
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

    private void kill(SimNode node) {
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

    private void killAtAnswer(SimNode node) {
        Class<? extends MqttPacket> type = SimConnections.anyAnswer(world);
        node.connections()
                .whenSent(
                        type,
                        _ -> world.after(world.environment(), world.random().nextInt(500), () -> {
                            world.trace(() -> "after " + type.getSimpleName());
                            kill(node);
                        }));
    }

    private void freeze(SimNode node, long micros, boolean stopsClock) {
        if (node.isAlive() && !node.process().isFrozen()) {
            world.trace(() -> "SIGSTOP " + node.process() + " for " + micros / 1_000 + " ms");
            node.process().freeze(world, stopsClock);
            List<Interruption> begun = living().stream()
                    .map(other -> interruptions.begin(node.process(), other.process()))
                    .toList();
            world.after(world.environment(), micros, () -> {
                world.trace(() -> "SIGCONT " + node.process());
                node.process().thaw(world);
                begun.forEach(interruptions::end);
            });
            world.after(world.environment(), LEASE_MICROS, () -> {
                if (node.process().isFrozen() && living().size() <= wanted) {
                    startNode();
                }
            });
        }
    }

    /** The process stands still, others take its place, and some of its clients connect to them before it continues. */
    private void freezeAndMoveClients(SimNode node) {
        freeze(node, world.random().nextLong(LEASE_MICROS, 5 * LEASE_MICROS), false);
        world.after(
                world.environment(),
                world.random().nextLong(LEASE_MICROS / 2, 3 * LEASE_MICROS),
                node.connections()::loseSome);
    }

    /**
     * The logs of messages lose their leaders, so that a transaction of the process stays open. The process stands still, and others declare it
     * dead, but cannot fence it before the leaders are back. It continues meanwhile, and may stand still again when it is fenced.
     */
    private void freezeBeforeFenced(SimNode node) {
        long outage = world.random().nextLong(2_500_000, 4_000_000);
        kafka.loseLeaders(outage);
        world.after(
                world.environment(),
                world.random().nextLong(1_000, 500_000),
                () -> freeze(node, world.random().nextLong(LEASE_MICROS, 2 * LEASE_MICROS), false));
        if (world.random().nextBoolean()) {
            world.after(
                    world.environment(),
                    outage - world.random().nextLong(5_000),
                    () -> freeze(node, world.random().nextLong(10_000, 300_000), false));
        }
    }

    /** The process stands still and never does anything again, but its buffers reach Kafka late. */
    private void endWithLateAppends(SimNode node) {
        kafka.loseLeaders(1_000_000);
        world.after(world.environment(), world.random().nextLong(1, 800_000), () -> {
            if (node.isAlive()) {
                world.trace(() -> node.process() + " is over; its buffers land later");
                node.kill();
                node.kafka()
                        .landLate(() ->
                                living().forEach(other -> other.connections().reset()));
            }
        });
    }

    /** The process closes its connections and its producers, and leaves. */
    private void leave(SimNode node) {
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

    public void heal() {
        linkFaults.heal();
    }

    /** All links break, or those of one node. Returns a check that one node is left, or all but that one. */
    Runnable breakLinks() {
        return linkFaults.breakAll(serving(), this::members);
    }

    public void restart() {
        SimNode node = any(living());
        if (node != null) {
            kill(node);
        }
    }

    public @Nullable String retained(String topic) {
        return kafka.retained(topic);
    }

    public boolean isSettled() {
        List<SimNode> living = living();
        if (!kafka.isWhole()
                || living.isEmpty()
                || view.members().size() != living.size()
                || !view.free().isEmpty()) {
            return false;
        }
        for (SimNode node : living) {
            Set<Integer> owned = view.ownedBy(node.me());
            if (node.process().isFrozen() || !node.isSettled() || !owned.equals(view.heldBy(node.me()))) {
                return false;
            }
        }
        return true;
    }

    public void check() {
        checkConnections();
        checkReplicas();
        living().forEach(SimNode::checkAccounts);
    }

    /** All nodes know the same sessions and subscriptions. */
    private void checkReplicas() {
        List<SimNode> living = living();
        Map<String, String> first = living.getFirst().sessions();
        for (SimNode node : living) {
            Map<String, String> sessions = node.sessions();
            if (!sessions.equals(first)) {
                throw new SimulationFailure("the nodes know different sessions: "
                        + living.getFirst().process() + " " + first + ", " + node.process() + " " + sessions);
            }
        }
    }

    /** At most one connection of each client is left. */
    private void checkConnections() {
        Map<String, SimNode> connected = new HashMap<>();
        for (SimNode node : living()) {
            for (SimConnection connection : node.connections().all()) {
                if (connection.isEstablished()) {
                    SimNode before = connected.put(connection.clientId(), node);
                    if (before != null) {
                        throw new SimulationFailure(connection.clientId() + " is connected to " + before.process()
                                + " and to " + node.process());
                    }
                }
            }
        }
    }
}

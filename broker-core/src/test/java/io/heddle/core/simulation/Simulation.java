package io.heddle.core.simulation;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.simulation.client.Interruptions;
import io.heddle.core.simulation.client.Ledger;
import io.heddle.core.simulation.client.RetainedCheck;
import io.heddle.core.simulation.client.SimClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One run: clients work while faults happen, then everything heals, the clients finish, and the ledger must be even. Everything that happens
 * follows from the seed.
 */
public final class Simulation {
    private static final long ACTIVE_MICROS = 8_000_000;
    /** A node that had to leave several times waits for minutes before it serves. */
    private static final long HEAL_MICROS = 900_000_000;
    /** In which all nodes but one leave, one after the other. */
    private static final long BROKEN_MICROS = 8_000_000;

    private static final long CHECK_MICROS = 250_000;

    private final long seed;
    private final World world;
    private final SimCluster cluster;
    private final Ledger ledger;
    private final List<SimClient> clients = new ArrayList<>();
    // Clients that take their sessions over from each other.
    private final List<SimClient> rivals = new ArrayList<>();
    private final FaultPlan faults;

    /**
     * @param tracing whether to note what happens
     */
    Simulation(long seed, Set<Mistake> mistakes, boolean tracing) {
        this.seed = seed;
        this.world = new World(seed, tracing, mistakes);
        Interruptions interruptions = new Interruptions(world);
        this.cluster = new SimCluster(world, interruptions);
        this.ledger = new Ledger(world, interruptions, cluster::retained);
        this.faults = new FaultPlan(world, cluster);
    }

    /** The result of a run without a failure. */
    record Result(
            long steps,
            long digest,
            int messages,
            int acknowledged,
            int deliveries,
            int wills,
            Map<Fault, Integer> faults) {}

    /**
     * Runs until the ledger is even.
     *
     * @throws SimulationFailure when a promise is broken
     */
    Result run() {
        try {
            cluster.start();
            createClients();
            faults.begin(ACTIVE_MICROS);
            world.run(ACTIVE_MICROS);
            heal();
            check();
        } catch (RuntimeException e) {
            throw new SimulationFailure(
                    "seed " + seed + " at " + world.nanoTime() / 1_000 + " µs with " + faults.used() + ": "
                            + e.getMessage(),
                    e);
        }
        return new Result(
                world.steps(),
                world.digest(),
                ledger.messages(),
                ledger.acknowledgedMessages(),
                ledger.deliveries(),
                ledger.wills(),
                faults.happened());
    }

    List<String> traced() {
        return world.traced();
    }

    private void createClients() {
        addClient("device-1", true, MqttVersion.V5, List.of("t/0", "t/+", "$share/g/s/+"));
        addClient("device-2", true, MqttVersion.V5, List.of("t/1", "t/2", "r/+", "w/+", "$share/g/s/+"));
        addClient("device-3", true, MqttVersion.V3_1_1, List.of("t/+"));
        addClient("device-4", true, MqttVersion.V5, List.of("t/2", "w/+"));
        addClient("app-1", true, MqttVersion.V5, List.of("t/+", "t/1", "r/+", "w/+"));
        addClient("app-2", true, MqttVersion.V5, List.of("t/1", "$share/h/s/+"));
        addClient("visitor-1", false, MqttVersion.V5, List.of("t/+", "r/+"));
        addClient("visitor-2", false, MqttVersion.V3_1_1, List.of("t/0"));
        addClient("visitor-3", false, MqttVersion.V5, List.of("t/1", "t/2"));
        for (int i = 0; i < 2; i++) {
            addRival("rival-1", true);
            addRival("rival-2", false);
        }
    }

    private void addRival(String id, boolean persistent) {
        SimClient rival = new SimClient(world, ledger, id, persistent, MqttVersion.V5, List.of(), cluster::entry);
        rival.onlyConnects();
        rivals.add(rival);
    }

    private void addClient(String id, boolean persistent, MqttVersion version, List<String> filters) {
        clients.add(new SimClient(world, ledger, id, persistent, version, filters, cluster::entry));
    }

    /** Ends the faults and waits until all clients have finished and received what they must receive. */
    private void heal() {
        world.trace(() -> "the faults end");
        faults.end();
        cluster.heal();
        clients.forEach(SimClient::settle);
        rivals.forEach(SimClient::settle);
        awaitRest();
        if (isSettled()) {
            // No later message tells a client that this one is lost.
            cluster.killAtPush();
            clients.get(world.random().nextInt(clients.size())).publishLast();
            awaitRest();
        }
        // A node may still be killed.
        world.run(1_000_000);
        if (isSettled() && world.oneIn(4)) {
            Runnable check = cluster.breakLinks();
            clients.forEach(SimClient::publishLast);
            world.run(BROKEN_MICROS);
            check.run();
            cluster.heal();
            awaitRest();
        }
    }

    private void awaitRest() {
        long end = world.nanoTime() + HEAL_MICROS * 1_000;
        while (!isSettled() && world.nanoTime() < end) {
            world.run(CHECK_MICROS);
        }
    }

    private boolean isSettled() {
        return clients.stream().allMatch(SimClient::isSettled)
                && ledger.missing().isEmpty()
                && cluster.isSettled();
    }

    private void check() {
        List<String> missing = ledger.missing();
        if (!missing.isEmpty()) {
            throw new SimulationFailure(String.join("; ", missing));
        }
        String unsettled = clients.stream()
                .filter(client -> !client.isSettled())
                .map(SimClient::toString)
                .collect(Collectors.joining(", "));
        if (!unsettled.isEmpty()) {
            throw new SimulationFailure("clients that do not come to rest: " + unsettled);
        }
        // Messages that are sent too often may come late.
        world.run(2_000_000);
        cluster.check();
        checkRetained();
    }

    private void checkRetained() {
        RetainedCheck before = new RetainedCheck(ledger, reader("reader-1"));
        cluster.restart();
        world.run(5_000_000);
        new RetainedCheck(ledger, reader("reader-2")).requireSameAs(before);
    }

    /** A new subscriber that has received the retained messages. */
    private SimClient reader(String id) {
        SimClient reader = new SimClient(world, ledger, id, false, MqttVersion.V5, List.of("r/+"), cluster::entry);
        reader.onlyReads();
        world.run(5_000_000);
        return reader;
    }
}

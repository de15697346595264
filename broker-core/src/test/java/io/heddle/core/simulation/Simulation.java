package io.heddle.core.simulation;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.simulation.client.Ledger;
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
    private static final long HEAL_MICROS = 180_000_000;
    private static final long CHECK_MICROS = 250_000;

    private final long seed;
    private final World world;
    private final SimCluster cluster;
    private final Ledger ledger;
    private final List<SimClient> clients = new ArrayList<>();
    private final FaultPlan faults;

    /**
     * @param allowed the faults of which the run uses some
     * @param tracing whether to note what happens
     */
    Simulation(long seed, Set<Fault> allowed, Set<Mistake> mistakes, boolean tracing) {
        this.seed = seed;
        this.world = new World(seed, tracing, mistakes);
        this.cluster = new SimCluster(world);
        this.ledger = new Ledger(world);
        this.faults = new FaultPlan(world, cluster, allowed);
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
            cluster.startNode();
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
        addClient("app-1", true, MqttVersion.V5, List.of("t/+", "t/1", "r/+", "w/+"));
        addClient("app-2", true, MqttVersion.V5, List.of("t/1", "$share/h/s/+"));
        addClient("visitor-1", false, MqttVersion.V5, List.of("t/+", "r/+"));
        addClient("visitor-2", false, MqttVersion.V3_1_1, List.of("t/0"));
    }

    private void addClient(String id, boolean persistent, MqttVersion version, List<String> filters) {
        clients.add(new SimClient(world, ledger, id, persistent, version, filters, cluster::entry));
    }

    /** Ends the faults and waits until all clients have finished and received what they must receive. */
    private void heal() {
        world.trace(() -> "the faults end");
        faults.end();
        clients.forEach(SimClient::settle);
        long end = world.nanoTime() + HEAL_MICROS * 1_000;
        while (!isSettled() && world.nanoTime() < end) {
            world.run(CHECK_MICROS);
        }
    }

    private boolean isSettled() {
        return clients.stream().allMatch(SimClient::isSettled)
                && ledger.missing().isEmpty();
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
        SimClient before = reader("reader-1");
        before.checkRetained();
        cluster.restart();
        world.run(5_000_000);
        SimClient after = reader("reader-2");
        after.checkRetained();
        after.checkRetainedSince(before);
    }

    /** A new subscriber that has received the retained messages. */
    private SimClient reader(String id) {
        SimClient reader = new SimClient(world, ledger, id, false, MqttVersion.V5, List.of("r/+"), cluster::entry);
        reader.onlyReads();
        world.run(5_000_000);
        return reader;
    }
}

package io.heddle.perf.load.flood;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.client.ClientPlan;
import io.heddle.perf.load.client.ClientPlans;
import io.heddle.perf.load.client.Connector;
import io.heddle.perf.load.client.IdleRole;
import io.heddle.perf.load.client.NetworkLoop;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** The network loop, client plans and counts of an attack. Owner: the attack's thread. */
public final class AttackContext {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final NetworkLoop loop;
    private final ClientPlans clients;
    private final ConnectionRate rate;
    private final BooleanSupplier stopped;
    private final Consumer<String> progress;
    private final AttackCounts counts = new AttackCounts();

    AttackContext(
            NetworkLoop loop,
            ClientPlans clients,
            ConnectionRate rate,
            BooleanSupplier stopped,
            Consumer<String> progress) {
        this.loop = loop;
        this.clients = clients;
        this.rate = rate;
        this.stopped = stopped;
        this.progress = progress;
    }

    NetworkLoop loop() {
        return loop;
    }

    ClientPlans clients() {
        return clients;
    }

    ConnectionRate rate() {
        return rate;
    }

    AttackCounts counts() {
        return counts;
    }

    /** A topic that only attackers use. */
    String topic(String name) {
        return clients.prefix() + "-flood/" + name;
    }

    /** Reports progress to the user. */
    void progress(String text) {
        progress.accept(text);
    }

    /** Throws {@link LoadException} if the flood was stopped during its preparation. */
    void checkStopped() {
        if (stopped.getAsBoolean()) {
            throw new LoadException("The flood was stopped before it began");
        }
    }

    /** Connects clients and disconnects them. */
    void visit(int count, IntFunction<ClientPlan> plans) {
        Connector connector = new Connector(loop, rate.maximumHandshakes(), PATIENCE);
        IdleRole role = new IdleRole(reason -> {});
        connector.disconnect(connector.connect(count, number -> new Connector.Client(plans.apply(number), role)));
    }
}

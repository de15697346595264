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

/** What an attack has at hand. Owner: the attack's thread. */
public final class AttackContext {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final NetworkLoop loop;
    private final ClientPlans clients;
    private final OpeningPace pace;
    private final BooleanSupplier stopped;
    private final Consumer<String> progress;
    private final AttackCounts counts = new AttackCounts();

    AttackContext(
            NetworkLoop loop,
            ClientPlans clients,
            OpeningPace pace,
            BooleanSupplier stopped,
            Consumer<String> progress) {
        this.loop = loop;
        this.clients = clients;
        this.pace = pace;
        this.stopped = stopped;
        this.progress = progress;
    }

    NetworkLoop loop() {
        return loop;
    }

    ClientPlans clients() {
        return clients;
    }

    OpeningPace pace() {
        return pace;
    }

    AttackCounts counts() {
        return counts;
    }

    /** A topic that no other kind of client uses. */
    String topic(String name) {
        return clients.prefix() + "-flood/" + name;
    }

    /** Tells the person who started the flood what is going on. */
    void progress(String text) {
        progress.accept(text);
    }

    /** Ends preparations that nobody waits for any more. */
    void checkStopped() {
        if (stopped.getAsBoolean()) {
            throw new LoadException("The flood was stopped before it began");
        }
    }

    /** Connects clients that need not stay, and disconnects them. */
    void visit(int count, IntFunction<ClientPlan> plans) {
        Connector connector = new Connector(loop, pace.atOnce(), PATIENCE);
        IdleRole role = new IdleRole(reason -> {});
        connector.disconnect(connector.connect(count, number -> new Connector.Part(plans.apply(number), role)));
    }
}

package io.heddle.perf.load.flood;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.client.ClientPlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Attackers of one sort. Opens their connections, and opens them again when they broke, with a bound on handshakes under way and,
 * once all had their chance, on connections per second. Owner: the attack's thread. Bounded by its size.
 */
final class Crowd {
    private static final long PROGRESS_WITHIN_NANOS = 10_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;
    // How long the allowance for opening can be saved up.
    private static final double BURST_SECONDS = 0.1;

    private final AttackContext context;
    private final IntFunction<ClientPlan> plans;
    private final List<Attacker> members = new ArrayList<>();
    private final ArrayDeque<Attacker> closed = new ArrayDeque<>();
    private int opening;
    private int ready;
    private double allowance;
    private long lastTurnNanos = System.nanoTime();

    /** All closed. The plan of a member is asked for at each of its connections. */
    Crowd(AttackContext context, int size, Conduct conduct, IntFunction<ClientPlan> plans) {
        this.context = context;
        this.plans = plans;
        for (int number = 0; number < size; number++) {
            members.add(new Attacker(number, this, conduct, context.counts()));
        }
        closed.addAll(members);
    }

    List<Attacker> members() {
        return members;
    }

    int ready() {
        return ready;
    }

    boolean areAllReady() {
        return ready == members.size();
    }

    /** Connects all of them; those that the broker does not let in after several attempts stay closed until the next attempt. */
    Crowd connect() {
        long progressNanos = System.nanoTime();
        int best = 0;
        while (!areAllReady() && System.nanoTime() - progressNanos < PROGRESS_WITHIN_NANOS) {
            context.checkStopped();
            int attempts = Math.min(closed.size(), context.pace().atOnce() - opening);
            open(attempts);
            context.loop().turn(1);
            if (ready > best) {
                best = ready;
                progressNanos = System.nanoTime();
            }
        }
        if (ready == 0) {
            Map<String, Long> counts = new LinkedHashMap<>();
            context.counts().addTo(counts);
            throw new LoadException("No attacker of " + members.size() + " can connect: " + counts);
        }
        return this;
    }

    /** Opens again what broke. */
    void turn(long nowNanos) {
        double perSecond = context.pace().perSecond();
        double gained = Math.max(0, nowNanos - lastTurnNanos) / NANOS_PER_SECOND * perSecond;
        lastTurnNanos = nowNanos;
        allowance = Math.min(allowance + gained, Math.max(1, perSecond * BURST_SECONDS));
        int attempts =
                Math.min((int) allowance, Math.min(closed.size(), context.pace().atOnce() - opening));
        if (attempts > 0) {
            allowance -= attempts;
            open(attempts);
        }
    }

    /** Closes all sockets at once, without DISCONNECT. */
    void cut() {
        for (Attacker member : members) {
            if (member.isReady()) {
                member.cut();
            }
        }
    }

    private void open(int attempts) {
        for (int i = 0; i < attempts; i++) {
            Attacker next = closed.remove();
            opening++;
            next.open(context.loop(), plans.apply(next.number()));
        }
    }

    /** A member's handshake is over. */
    void up() {
        opening--;
        ready++;
    }

    /** A member's connection is over. */
    void down(Attacker member, boolean wasReady) {
        if (wasReady) {
            ready--;
        } else {
            opening--;
        }
        closed.add(member);
    }
}

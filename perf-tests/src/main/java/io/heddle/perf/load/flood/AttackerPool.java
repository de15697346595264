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
 * Attackers with the same behaviour. Opens their connections and reopens broken ones. Bounds: concurrent handshakes and, after the first
 * attempt of all attackers, connections per second. Owner: the attack's thread. Bounded by its size.
 */
final class AttackerPool {
    private static final long PROGRESS_WITHIN_NANOS = 10_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;
    // The time for which unused connection attempts accumulate.
    private static final double BURST_SECONDS = 0.1;

    private final AttackContext context;
    private final IntFunction<ClientPlan> plans;
    private final List<Attacker> members = new ArrayList<>();
    private final ArrayDeque<Attacker> closed = new ArrayDeque<>();
    private int opening;
    private int ready;
    private double allowance;
    private long lastTurnNanos = System.nanoTime();

    /** A pool of closed attackers. The function is called for each connection. */
    AttackerPool(AttackContext context, int size, AttackerBehaviour behaviour, IntFunction<ClientPlan> plans) {
        this.context = context;
        this.plans = plans;
        for (int number = 0; number < size; number++) {
            members.add(new Attacker(number, this, behaviour, context.counts()));
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

    /** Connects all attackers. Attackers that the broker still refuses when there is no more progress stay closed until {@link #turn}. */
    AttackerPool connect() {
        long progressNanos = System.nanoTime();
        int best = 0;
        while (!areAllReady() && System.nanoTime() - progressNanos < PROGRESS_WITHIN_NANOS) {
            context.checkStopped();
            int attempts = Math.min(closed.size(), context.rate().maximumHandshakes() - opening);
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
            throw new LoadException("None of the " + members.size() + " attackers can connect: " + counts);
        }
        return this;
    }

    /** Reopens broken connections. */
    void turn(long nowNanos) {
        double perSecond = context.rate().perSecond();
        double gained = Math.max(0, nowNanos - lastTurnNanos) / NANOS_PER_SECOND * perSecond;
        lastTurnNanos = nowNanos;
        allowance = Math.min(allowance + gained, Math.max(1, perSecond * BURST_SECONDS));
        int attempts =
                Math.min((int) allowance, Math.min(closed.size(), context.rate().maximumHandshakes() - opening));
        if (attempts > 0) {
            allowance -= attempts;
            open(attempts);
        }
    }

    /** Closes all sockets, without DISCONNECT. */
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

    /** A member's handshake has succeeded. */
    void onReady() {
        opening--;
        ready++;
    }

    /** A member's connection or handshake has ended. */
    void onClosed(Attacker member, boolean wasReady) {
        if (wasReady) {
            ready--;
        } else {
            opening--;
        }
        closed.add(member);
    }
}

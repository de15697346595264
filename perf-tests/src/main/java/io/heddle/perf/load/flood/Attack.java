package io.heddle.perf.load.flood;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.client.ClientPlans;
import io.heddle.perf.load.client.NetworkLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs a flood on a thread of its own: prepares it, waits for {@link #begin}, attacks for a limited time, and closes its connections. Other
 * threads may call all methods. States: preparing, prepared, attacking, ended.
 */
final class Attack implements AutoCloseable {
    private static final long IDLE_MILLIS = 5;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final FloodPlan plan;
    private final ClientPlans clients;
    private final Consumer<String> progress;
    private final CompletableFuture<Flood> prepared = new CompletableFuture<>();
    private final CompletableFuture<Map<String, Long>> ended = new CompletableFuture<>();
    private volatile boolean started;
    private volatile boolean stopped;

    Attack(FloodPlan plan, ClientPlans clients, Consumer<String> progress) {
        this.plan = plan;
        this.clients = clients;
        this.progress = progress;
    }

    /** Blocks until the attack is ready to begin. */
    void prepare() {
        Thread.ofPlatform().name("flood").daemon().start(this::run);
        await(prepared);
    }

    void begin() {
        started = true;
    }

    void stop() {
        stopped = true;
    }

    boolean hasEnded() {
        return ended.isDone();
    }

    /** The counts of a stopped attack. Throws {@link LoadException} if the attack does not end. */
    Map<String, Long> totals() {
        return await(ended);
    }

    /** Removes the sessions and messages that the attack has left at the broker. */
    void cleanUp() {
        Flood flood = await(prepared);
        try (NetworkLoop loop = new NetworkLoop()) {
            flood.cleanUp(new AttackContext(loop, clients, plan.connectionRate(), () -> false, progress));
        }
    }

    @Override
    public void close() {
        stop();
    }

    private void run() {
        try (NetworkLoop loop = new NetworkLoop()) {
            AttackContext context = new AttackContext(loop, clients, plan.connectionRate(), () -> stopped, progress);
            Flood flood = plan.kind().apply(context);
            prepared.complete(flood);
            while (!started && !stopped) {
                loop.turn(IDLE_MILLIS);
            }
            long deadline = System.nanoTime() + plan.duration().toNanos();
            for (long now = System.nanoTime(); !stopped && now - deadline < 0; now = System.nanoTime()) {
                loop.turn(flood.turn(now) ? 0 : 1);
            }
            flood.end();
            Map<String, Long> totals = new LinkedHashMap<>();
            flood.addTo(totals);
            context.counts().addTo(totals);
            ended.complete(totals);
        } catch (RuntimeException | Error failure) {
            prepared.completeExceptionally(failure);
            ended.completeExceptionally(failure);
        }
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new LoadException("The flood did not finish within " + TIMEOUT.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LoadException known) {
                throw known;
            }
            throw new LoadException("The flood failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("Interrupted", e);
        }
    }
}

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
 * A flood on its own thread, which makes it ready, waits for the signal, attacks for a limited time and closes its connections.
 * Any other thread may signal. States: preparing, prepared, attacking, ended.
 */
final class Attack implements AutoCloseable {
    private static final long IDLE_MILLIS = 5;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final FloodPlan plan;
    private final ClientPlans clients;
    private final Consumer<String> progress;
    private final CompletableFuture<Flood> prepared = new CompletableFuture<>();
    private final CompletableFuture<Map<String, Long>> ended = new CompletableFuture<>();
    private volatile boolean begun;
    private volatile boolean stopped;

    Attack(FloodPlan plan, ClientPlans clients, Consumer<String> progress) {
        this.plan = plan;
        this.clients = clients;
        this.progress = progress;
    }

    /** Returns when the attack is ready to begin. */
    void prepare() {
        Thread.ofPlatform().name("flood").daemon().start(this::run);
        await(prepared);
    }

    void begin() {
        begun = true;
    }

    void stop() {
        stopped = true;
    }

    boolean hasEnded() {
        return ended.isDone();
    }

    /** The counts of an attack that has been stopped; throws {@link LoadException} when it does not end. */
    Map<String, Long> totals() {
        return await(ended);
    }

    /** Removes what the attack has left at the broker. */
    void cleanUp() {
        Flood flood = await(prepared);
        try (NetworkLoop loop = new NetworkLoop()) {
            flood.cleanUp(new AttackContext(loop, clients, plan.opening(), () -> false, progress));
        }
    }

    @Override
    public void close() {
        stop();
    }

    private void run() {
        try (NetworkLoop loop = new NetworkLoop()) {
            AttackContext context = new AttackContext(loop, clients, plan.opening(), () -> stopped, progress);
            Flood flood = plan.kind().apply(context);
            prepared.complete(flood);
            while (!begun && !stopped) {
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
            throw new LoadException("The flood is still busy after " + TIMEOUT.toSeconds() + " s", e);
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

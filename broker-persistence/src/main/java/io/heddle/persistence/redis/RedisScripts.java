package io.heddle.persistence.redis;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts by their hash, and with their text when Redis does not know them: after its restart, or after SCRIPT
 * FLUSH. Thread-safe, never blocks; answers come on an I/O thread of Lettuce. What one thread asks of one bucket by one
 * of these is sent in that order, and is carried out in that order, except right after Redis has lost its scripts or
 * moved the bucket's slot: what is sent again then may come behind what was sent later. Bounded by {@link
 * RedisServer}'s waiting commands.
 *
 * <p>Metrics: {@code heddle.redis.script{script}} and {@code heddle.redis.failures{reason}}.
 */
final class RedisScripts {
    private final RedisServer redis;
    private final RedisClusterAsyncCommands<byte[], byte[]> commands;
    private final Map<LuaScript, Timer> timers = new EnumMap<>(LuaScript.class);

    private final Counter timeouts;
    private final Counter refusals;
    private final Counter disconnections;

    private RedisScripts(
            RedisServer redis, RedisClusterAsyncCommands<byte[], byte[]> commands, MeterRegistry registry) {
        this.redis = redis;
        this.commands = commands;
        for (LuaScript script : LuaScript.values()) {
            timers.put(
                    script,
                    Timer.builder("heddle.redis.script")
                            .description("Calls of scripts in Redis, from sending to the answer")
                            .tag("script", script.label())
                            .register(registry));
        }
        timeouts = failures("timeout", registry);
        refusals = failures("refused", registry);
        disconnections = failures("disconnected", registry);
    }

    /** Over the connection of what fills the queues. */
    static RedisScripts filling(RedisServer redis, MeterRegistry registry) {
        return new RedisScripts(redis, redis.fillingCommands(), registry);
    }

    /** Over the connection of everything else. */
    static RedisScripts serving(RedisServer redis, MeterRegistry registry) {
        return new RedisScripts(redis, redis.binaryCommands(), registry);
    }

    /**
     * Makes Redis know the scripts before the first is run: one that has to be sent again could come behind what was sent later. Blocks.
     *
     * @throws StoreUnavailableException when Redis does not answer
     */
    static void load(RedisServer redis) {
        try {
            for (LuaScript script : LuaScript.values()) {
                redis.commands().scriptLoad(script.text());
            }
        } catch (RedisException e) {
            throw new StoreUnavailableException(
                    "Redis at " + redis.settings().address() + " did not take the scripts: " + e.getMessage(), e);
        }
    }

    private static Counter failures(String reason, MeterRegistry registry) {
        return Counter.builder("heddle.redis.failures")
                .description("Calls of scripts in Redis that were not carried out, or nobody knows")
                .tag("reason", reason)
                .register(registry);
    }

    /**
     * Runs a script.
     *
     * @param key of the bucket
     * @param answer makes of what Redis answers (numbers as Long, bytes, lists) what is asked for; runs on an I/O thread
     * @return fails with {@link StoreUnavailableException}, or with what {@code answer} throws
     */
    <T> CompletionStage<T> run(LuaScript script, byte[] key, List<byte[]> arguments, Function<List<?>, T> answer) {
        byte[][] keys = {key};
        byte[][] values = arguments.toArray(byte[][]::new);
        CompletableFuture<T> result = new CompletableFuture<>();
        long sent = System.nanoTime();
        RedisFuture<List<?>> first;
        try {
            first = commands.evalsha(script.digest(), ScriptOutputType.MULTI, keys, values);
        } catch (RuntimeException e) {
            result.completeExceptionally(failure(script, e));
            return result;
        }
        first.whenComplete((found, fault) -> {
            if (cause(fault) instanceof RedisNoScriptException) {
                commands.<List<?>>eval(script.text(), ScriptOutputType.MULTI, keys, values)
                        .whenComplete((again, second) -> finish(script, sent, again, second, answer, result));
            } else {
                finish(script, sent, found, fault, answer, result);
            }
        });
        return result;
    }

    /** Runs a script whose answer nobody needs. */
    CompletionStage<Void> perform(LuaScript script, byte[] key, List<byte[]> arguments) {
        return bare(run(script, key, arguments, Function.identity()).thenAccept(answer -> {}));
    }

    /** A stage that fails with the fault itself, where one made of others wraps it in a {@link CompletionException}. */
    static <T> CompletionStage<T> bare(CompletionStage<T> stage) {
        CompletableFuture<T> result = new CompletableFuture<>();
        stage.whenComplete((value, fault) -> {
            Throwable cause = cause(fault);
            if (cause == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(cause);
            }
        });
        return result;
    }

    private <T> void finish(
            LuaScript script,
            long sent,
            @Nullable List<?> found,
            @Nullable Throwable fault,
            Function<List<?>, T> answer,
            CompletableFuture<T> result) {
        if (fault != null || found == null) {
            result.completeExceptionally(failure(script, fault));
            return;
        }
        Objects.requireNonNull(timers.get(script)).record(System.nanoTime() - sent, TimeUnit.NANOSECONDS);
        T value;
        try {
            value = answer.apply(found);
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
            return;
        }
        result.complete(value);
    }

    private StoreUnavailableException failure(LuaScript script, @Nullable Throwable fault) {
        Throwable cause = cause(fault);
        String reason;
        if (cause instanceof RedisCommandTimeoutException) {
            timeouts.increment();
            reason = "did not answer in time";
        } else if (cause instanceof RedisCommandExecutionException) {
            refusals.increment();
            reason = "refused";
            if (RedisFaults.isPermanent(String.valueOf(cause.getMessage()))) {
                return new StoreRejectedException(detail(script, reason, cause), cause);
            }
        } else {
            disconnections.increment();
            reason = "is not reachable";
        }
        return new StoreUnavailableException(detail(script, reason, cause), cause);
    }

    private String detail(LuaScript script, String reason, @Nullable Throwable cause) {
        return "Redis at " + redis.settings().address() + " " + reason + " (script " + script.label() + ")"
                + (cause == null ? "" : ": " + cause.getMessage());
    }

    private static @Nullable Throwable cause(@Nullable Throwable fault) {
        return fault instanceof CompletionException ? fault.getCause() : fault;
    }
}

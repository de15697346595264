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
 * Runs scripts by their hash, and with their source when Redis does not know them after a restart or SCRIPT FLUSH. Thread-safe, never
 * blocks; results complete on Lettuce's I/O threads. Calls of one thread for one bucket are sent and executed in order, except right after
 * Redis lost its scripts or moved the bucket's slot: a call that is sent again may be executed after later calls. Bounded by the pending
 * commands of {@link RedisServer}.
 *
 * <p>Metrics: {@code heddle.redis.script{script}} and {@code heddle.redis.failures{reason}}.
 */
final class RedisScripts {
    private final RedisServer redis;
    private final RedisClusterAsyncCommands<byte[], byte[]> commands;
    private final Map<LuaScript, Timer> timers = new EnumMap<>(LuaScript.class);

    private final Counter timeouts;
    private final Counter rejections;
    private final Counter disconnections;

    private RedisScripts(
            RedisServer redis, RedisClusterAsyncCommands<byte[], byte[]> commands, MeterRegistry registry) {
        this.redis = redis;
        this.commands = commands;
        for (LuaScript script : LuaScript.values()) {
            timers.put(
                    script,
                    Timer.builder("heddle.redis.script")
                            .description("Script calls, from the request to Redis's answer")
                            .tag("script", script.label())
                            .register(registry));
        }
        timeouts = failures("timeout", registry);
        rejections = failures("rejected", registry);
        disconnections = failures("disconnected", registry);
    }

    /** Uses the connection that fills the queues. */
    static RedisScripts filling(RedisServer redis, MeterRegistry registry) {
        return new RedisScripts(redis, redis.fillingCommands(), registry);
    }

    /** Uses the connection for all other calls. */
    static RedisScripts serving(RedisServer redis, MeterRegistry registry) {
        return new RedisScripts(redis, redis.binaryCommands(), registry);
    }

    /**
     * Loads the scripts into Redis before the first call, because a call that is sent again may be executed after later ones. Blocks.
     *
     * @throws StoreUnavailableException when Redis does not answer
     */
    static void load(RedisServer redis) {
        try {
            for (LuaScript script : LuaScript.values()) {
                redis.commands().scriptLoad(script.text());
            }
        } catch (RedisException e) {
            throw StoreUnavailableException.redis(
                    "Redis at " + redis.settings().address() + " did not load the scripts: " + e.getMessage(), e);
        }
    }

    private static Counter failures(String reason, MeterRegistry registry) {
        return Counter.builder("heddle.redis.failures")
                .description("Script calls that failed, or whose outcome is unknown")
                .tag("reason", reason)
                .register(registry);
    }

    /**
     * @param key the key of the bucket
     * @param decoder decodes Redis's answer (numbers as Long, bytes, lists); runs on an I/O thread
     * @return fails with {@link StoreUnavailableException}, or with the exception of the decoder
     */
    <T> CompletionStage<T> run(LuaScript script, byte[] key, List<byte[]> arguments, Function<List<?>, T> decoder) {
        byte[][] keys = {key};
        byte[][] values = arguments.toArray(byte[][]::new);
        CompletableFuture<T> result = new CompletableFuture<>();
        long startNanos = System.nanoTime();
        RedisFuture<List<?>> first;
        try {
            first = commands.evalsha(script.digest(), ScriptOutputType.MULTI, keys, values);
        } catch (RuntimeException e) {
            result.completeExceptionally(failure(script, e));
            return result;
        }
        first.whenComplete((answer, fault) -> {
            if (cause(fault) instanceof RedisNoScriptException) {
                commands.<List<?>>eval(script.text(), ScriptOutputType.MULTI, keys, values)
                        .whenComplete((retried, retryFault) ->
                                finish(script, startNanos, retried, retryFault, decoder, result));
            } else {
                finish(script, startNanos, answer, fault, decoder, result);
            }
        });
        return result;
    }

    /** Runs a script and ignores its answer. */
    CompletionStage<Void> perform(LuaScript script, byte[] key, List<byte[]> arguments) {
        return unwrapped(run(script, key, arguments, Function.identity()).thenAccept(answer -> {}));
    }

    /** Returns a stage that fails with the cause itself, which combined stages wrap in a {@link CompletionException}. */
    static <T> CompletionStage<T> unwrapped(CompletionStage<T> stage) {
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
            long startNanos,
            @Nullable List<?> answer,
            @Nullable Throwable fault,
            Function<List<?>, T> decoder,
            CompletableFuture<T> result) {
        if (fault != null || answer == null) {
            result.completeExceptionally(failure(script, fault));
            return;
        }
        Objects.requireNonNull(timers.get(script)).record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
        T value;
        try {
            value = decoder.apply(answer);
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
            rejections.increment();
            reason = "rejected the call";
            if (RedisFaults.isPermanent(String.valueOf(cause.getMessage()))) {
                return new StoreRejectedException(detail(script, reason, cause), cause);
            }
        } else {
            disconnections.increment();
            reason = "is not reachable";
        }
        return StoreUnavailableException.redis(detail(script, reason, cause), cause);
    }

    private String detail(LuaScript script, String reason, @Nullable Throwable cause) {
        return "Redis at " + redis.settings().address() + " " + reason + " (script " + script.label() + ")"
                + (cause == null ? "" : ": " + cause.getMessage());
    }

    private static @Nullable Throwable cause(@Nullable Throwable fault) {
        return fault instanceof CompletionException ? fault.getCause() : fault;
    }
}

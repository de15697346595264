package io.heddle.persistence.redis;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.lettuce.core.RedisException;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The id in Redis of the cluster that it belongs to. A Redis without an id, new or emptied, gets this cluster's; Redis is only a view, so
 * nothing is lost. Beside it is the number of the format of all values. Main thread, at start.
 */
public final class RedisClusterIdentity {
    private static final Logger log = LoggerFactory.getLogger(RedisClusterIdentity.class);

    /** Rises with the versions of the values that the scripts store. */
    private static final String FORMAT = "3";

    /** Of an earlier build, which stored no number. */
    private static final String NO_FORMAT = "0";

    private final RedisServer redis;

    public RedisClusterIdentity(RedisServer redis) {
        this.redis = redis;
    }

    /**
     * Requires that Redis has no cluster id while PostgreSQL has none.
     *
     * @param hasId returns whether PostgreSQL has an id meanwhile, from another node of the cluster that starts for the first time too
     * @param database the address of PostgreSQL, for the message
     * @throws StartupException when Redis has an id, which means that the database was lost or is another one
     * @throws StoreUnavailableException when Redis does not answer
     */
    public void requireUnclaimed(BooleanSupplier hasId, String database) {
        String found = call(() -> redis.commands().hget(RedisKeys.CLUSTER, RedisKeys.CLUSTER_ID));
        if (found != null && !hasId.getAsBoolean()) {
            throw new RedisFaults(redis.settings()).withoutDatabase(found, database);
        }
    }

    /**
     * Stores the cluster's id in Redis, or verifies it.
     *
     * @param clusterId the cluster's id from PostgreSQL
     * @throws StartupException when Redis has the id of another cluster, or values of another build
     * @throws StoreUnavailableException when Redis does not answer
     */
    public void claim(UUID clusterId) {
        String expected = clusterId.toString();
        if (call(() -> redis.commands().hget(RedisKeys.CLUSTER, RedisKeys.CLUSTER_ID)) == null) {
            // The format first: a Redis with an id and no format is of an earlier build.
            var _ = call(() -> redis.commands().hsetnx(RedisKeys.CLUSTER, RedisKeys.CLUSTER_FORMAT, FORMAT));
            if (Boolean.TRUE.equals(
                    call(() -> redis.commands().hsetnx(RedisKeys.CLUSTER, RedisKeys.CLUSTER_ID, expected)))) {
                log.info(
                        "Stored the cluster id in Redis at {}: {}",
                        redis.settings().address(),
                        expected);
            }
        }
        String id = String.valueOf(call(() -> redis.commands().hget(RedisKeys.CLUSTER, RedisKeys.CLUSTER_ID)));
        if (!id.equals(expected)) {
            throw new RedisFaults(redis.settings()).foreign(id, expected);
        }
        String format = call(() -> redis.commands().hget(RedisKeys.CLUSTER, RedisKeys.CLUSTER_FORMAT));
        if (!FORMAT.equals(format)) {
            throw new RedisFaults(redis.settings()).otherFormat(format == null ? NO_FORMAT : format, FORMAT);
        }
    }

    private <T> @Nullable T call(Supplier<@Nullable T> command) {
        try {
            return command.get();
        } catch (RedisException e) {
            throw StoreUnavailableException.redis(
                    "Redis at " + redis.settings().address() + " did not return its cluster id", e);
        }
    }
}

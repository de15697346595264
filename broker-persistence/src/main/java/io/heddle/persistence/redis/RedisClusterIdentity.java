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
 * The mark in Redis of the cluster that it belongs to. A Redis without a mark, new or emptied, is marked; Redis is only a view, so
 * that loses nothing. Main thread, at start.
 */
public final class RedisClusterIdentity {
    private static final Logger log = LoggerFactory.getLogger(RedisClusterIdentity.class);

    private final RedisServer redis;

    public RedisClusterIdentity(RedisServer redis) {
        this.redis = redis;
    }

    /**
     * Sees that this Redis has no mark yet, because PostgreSQL has no cluster's id.
     *
     * @param hasId whether PostgreSQL has got one meanwhile, from another node that starts for the first time, too
     * @param database where PostgreSQL is
     * @throws StartupException when it has one, so that the database is lost or another one
     * @throws StoreUnavailableException when it does not answer
     */
    public void requireUnclaimed(BooleanSupplier hasId, String database) {
        String found = call(() -> redis.commands().hget(RedisKeys.CLUSTER, RedisKeys.CLUSTER_ID));
        if (found != null && !hasId.getAsBoolean()) {
            throw new RedisFaults(redis.settings()).withoutDatabase(found, database);
        }
    }

    /**
     * Marks this Redis as the cluster's, or sees that it is.
     *
     * @param clusterId the cluster's id as PostgreSQL has it
     * @throws StartupException when it carries another cluster's mark
     * @throws StoreUnavailableException when it does not answer
     */
    public void claim(UUID clusterId) {
        String expected = clusterId.toString();
        if (Boolean.TRUE.equals(
                call(() -> redis.commands().hsetnx(RedisKeys.CLUSTER, RedisKeys.CLUSTER_ID, expected)))) {
            log.info("Redis at {} now belongs to cluster {}", redis.settings().address(), expected);
            return;
        }
        String found = String.valueOf(call(() -> redis.commands().hget(RedisKeys.CLUSTER, RedisKeys.CLUSTER_ID)));
        if (!found.equals(expected)) {
            throw new RedisFaults(redis.settings()).foreign(found, expected);
        }
    }

    private <T> @Nullable T call(Supplier<@Nullable T> command) {
        try {
            return command.get();
        } catch (RedisException e) {
            throw new StoreUnavailableException(
                    "Redis at " + redis.settings().address() + " did not say which cluster it belongs to", e);
        }
    }
}

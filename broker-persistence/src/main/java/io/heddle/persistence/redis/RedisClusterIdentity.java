package io.heddle.persistence.redis;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.lettuce.core.RedisException;
import java.util.UUID;
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
     * Marks this Redis as the cluster's, or sees that it is.
     *
     * @param clusterId the cluster's id as PostgreSQL has it
     * @throws StartupException when it carries another cluster's mark
     * @throws StoreUnavailableException when it does not answer
     */
    public void claim(UUID clusterId) {
        String expected = clusterId.toString();
        try {
            if (redis.commands().hsetnx(RedisKeys.CLUSTER, RedisKeys.CLUSTER_ID, expected)) {
                log.info(
                        "Redis at {} now belongs to cluster {}",
                        redis.settings().address(),
                        expected);
                return;
            }
            String found = String.valueOf(redis.commands().hget(RedisKeys.CLUSTER, RedisKeys.CLUSTER_ID));
            if (!found.equals(expected)) {
                throw new RedisFaults(redis.settings()).foreign(found, expected);
            }
        } catch (RedisException e) {
            throw new StoreUnavailableException(
                    "Redis at " + redis.settings().address() + " did not say which cluster it belongs to", e);
        }
    }
}

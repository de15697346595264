/**
 * The connection to Redis, and the queues and session registrations in it.
 *
 * <p>Entry class: {@link io.heddle.persistence.redis.RedisServer}, opened once at start on the main thread, for a single server or a Redis
 * Cluster. Invariants: Redis is a view that can be rebuilt from Kafka and PostgreSQL. It may lose all data, but must not evict single keys
 * or belong to another cluster; both are rejected at start. {@link io.heddle.persistence.redis.RedisKeys} alone knows the keys. Connecting
 * and the checks at start block. Queues and sessions ({@link io.heddle.persistence.redis.RedisBuckets}) never block and complete on
 * Lettuce's I/O threads. Their operations are the scripts in {@code lua/*.lua}, which makes each of them atomic.
 */
@NullMarked
package io.heddle.persistence.redis;

import org.jspecify.annotations.NullMarked;

/**
 * What lies in Redis, and the connection to it.
 *
 * <p>Entry class: {@link io.heddle.persistence.redis.RedisServer}, opened once at start on the main thread; a single server or a Redis
 * Cluster, whichever the URL leads to. Invariant: Redis is a view, all of it can be made again from Kafka and PostgreSQL; it may lose
 * everything, but must not throw single keys away or belong to another cluster, which is refused at start. {@link
 * io.heddle.persistence.redis.RedisKeys} is the one place that knows a key. Connecting and what is done at start blocks; queues and
 * sessions ({@link io.heddle.persistence.redis.RedisBuckets}) do not, and answer on the I/O threads of Lettuce. What they do in Redis are
 * the scripts in the resources {@code lua/*.lua}, so that each step is whole.
 */
@NullMarked
package io.heddle.persistence.redis;

import org.jspecify.annotations.NullMarked;

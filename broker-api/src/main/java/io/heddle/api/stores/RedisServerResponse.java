package io.heddle.api.stores;

import io.heddle.core.operator.store.QueueServerState;

/**
 * A server of Redis.
 *
 * @param maximumBytes the configured limit of its memory; 0 for none
 */
record RedisServerResponse(
        String address, String version, String role, long usedBytes, long maximumBytes, long keys, int replicas) {
    static RedisServerResponse of(QueueServerState server) {
        return new RedisServerResponse(
                server.address(),
                server.version(),
                server.role(),
                server.usedBytes(),
                server.maximumBytes(),
                server.keys(),
                server.replicas());
    }
}

package io.heddle.persistence.redis;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.operator.store.QueueServerState;
import io.heddle.core.operator.store.QueueServers;
import io.lettuce.core.RedisException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** Describes the servers of Redis by their answers to INFO. Thread-safe; blocks its callers. */
public final class RedisQueueServers implements QueueServers {
    private final Supplier<RedisServer> server;

    /** @param server the connections, which are open while the node runs */
    public RedisQueueServers(Supplier<RedisServer> server) {
        this.server = server;
    }

    @Override
    public List<QueueServerState> servers() {
        try {
            return server.get().infos().stream()
                    .map(RedisInfo::state)
                    .sorted(Comparator.comparing(QueueServerState::address))
                    .toList();
        } catch (RedisException e) {
            throw StoreUnavailableException.redis("Redis did not answer INFO", e);
        }
    }
}

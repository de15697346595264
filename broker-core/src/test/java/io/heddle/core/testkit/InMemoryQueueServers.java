package io.heddle.core.testkit;

import io.heddle.core.operator.store.QueueServerState;
import io.heddle.core.operator.store.QueueServers;
import java.util.List;

/** One server that does not change. */
public final class InMemoryQueueServers implements QueueServers {
    @Override
    public List<QueueServerState> servers() {
        return List.of(new QueueServerState("127.0.0.1:6379", "6.2.11", "master", 1_048_576, 0, 12, 1));
    }
}

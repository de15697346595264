package io.heddle.core.testkit;

import io.heddle.core.operator.store.QueueServers;

final class InMemoryQueueServersTest extends QueueServersContract {
    @Override
    protected QueueServers servers() {
        return new InMemoryQueueServers();
    }
}

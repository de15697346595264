package io.heddle.core.testkit;

import io.heddle.core.operator.store.LogServers;

final class InMemoryLogServersTest extends LogServersContract {
    @Override
    protected LogServers servers() {
        return new InMemoryLogServers();
    }
}

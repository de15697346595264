package io.heddle.core.testkit;

import io.heddle.core.session.persistent.ClientLog;

class InMemoryClientLogTest extends ClientLogContract {
    private final InMemoryClientLog fake = new InMemoryClientLog();

    @Override
    protected ClientLog log() {
        return fake;
    }
}

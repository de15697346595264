package io.heddle.core.testkit;

import io.heddle.core.cluster.NodeLog;
import java.time.InstantSource;

class InMemoryNodeLogTest extends NodeLogContract {
    private final InMemoryNodeLog fake = new InMemoryNodeLog(InstantSource.system());
    private final InMemoryNodeLog.OfNode first = fake.node();
    private final NodeLog second = fake.node();

    @Override
    protected NodeLog log() {
        return first;
    }

    @Override
    protected NodeLog other() {
        return second;
    }
}

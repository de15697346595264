package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeLog;
import io.heddle.core.cluster.NodeRecord.Left;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

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

    @Test
    void aFailingAppendIsNotInTheLog() {
        first.failWith(new IllegalStateException("away"));

        assertThat(first.append(new Left(new Incarnation(0, 0))).toCompletableFuture())
                .isCompletedExceptionally();
        assertThat(fake.records()).isEmpty();
    }
}

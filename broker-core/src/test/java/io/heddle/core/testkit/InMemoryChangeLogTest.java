package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.session.persistent.SessionRecord;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InMemoryChangeLogTest extends ChangeLogContract {
    private final InMemoryChangeLog<ClientId, SessionRecord> fake = new InMemoryChangeLog<>();

    @Override
    protected ChangeLog<ClientId, SessionRecord> log() {
        return fake;
    }

    @Test
    void heldAppendsCompleteOnRelease() {
        fake.hold();
        CompletableFuture<Void> answer = fake.append(
                        new ClientId("c"), new SessionRecord(1, ClientType.DEVICE, null, 60, "", 1, 1))
                .toCompletableFuture();
        assertThat(answer).isNotDone();

        fake.release();

        assertThat(answer).isCompleted();
    }
}

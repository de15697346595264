package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InMemoryChangeLogTest extends ChangeLogContract {
    private final InMemoryChangeLog<ProgressKey, Progress> fake = new InMemoryChangeLog<>();

    @Override
    protected ChangeLog<ProgressKey, Progress> log() {
        return fake;
    }

    @Test
    void heldAppendsCompleteOnRelease() {
        fake.hold();
        CompletableFuture<Void> answer = fake.append(
                        new ProgressKey(new ClientId("c"), 1, 1), new Progress(1, List.of(), List.of(), 1))
                .toCompletableFuture();
        assertThat(answer).isNotDone();

        fake.release();

        assertThat(answer).isCompleted();
    }
}

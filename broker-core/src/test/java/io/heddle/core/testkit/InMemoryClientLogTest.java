package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.session.persistent.ClientChange.OfSession;
import io.heddle.core.session.persistent.ClientLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InMemoryClientLogTest extends ClientLogContract {
    private final InMemoryClientLog fake = new InMemoryClientLog();

    @Override
    protected ClientLog log() {
        return fake;
    }

    @Test
    void heldCommitsCompleteOnRelease() {
        fake.sessions.hold();
        CompletableFuture<Long> answer =
                fake.commit(0, List.of(new OfSession(client(1), session(1)))).toCompletableFuture();
        assertThat(fake.commit(0, List.of(route(1, "a", 1))).toCompletableFuture())
                .isCompleted();
        assertThat(answer).isNotDone();

        fake.sessions.release();

        assertThat(answer).isCompleted();
    }

    @Test
    void compactionKeepsTheLastChangeOfEachKeyInItsPlace() throws Exception {
        commit(new OfSession(client(1), session(1)));
        commit(route(1, "a", 1));
        commit(new OfSession(client(1), session(2)));

        fake.compact();

        assertThat(replayed()).containsExactly(route(1, "a", 1), new OfSession(client(1), session(2)));
    }
}

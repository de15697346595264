package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.delivery.log.SequenceRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every {@link ChangeLog} promises, shown with the progress of APPLICATION clients. Each test begins with an empty log. */
public abstract class ChangeLogContract {
    /** The log under test, empty at the beginning of a test and the same throughout it. */
    protected abstract ChangeLog<ProgressKey, Progress> log();

    @Test
    void aFollowerOfAnEmptyLogGetsNothing() {
        assertThat(RecordingFollower.read(log())).isEmpty();
    }

    @Test
    void appendedChangesAreReplayed() throws Exception {
        Progress away = new Progress(5, List.of(new SequenceRange(7, 9)), List.of(6L), 12);
        append(client(1), progress(1));
        append(client(2), away);

        assertThat(replayed()).containsExactlyInAnyOrderEntriesOf(Map.of(client(1), progress(1), client(2), away));
    }

    @Test
    void lastChangeOfAKeyIsReplayedLast() throws Exception {
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        for (int i = 1; i <= 500; i++) {
            answers.add(log().append(client(i % 7), progress(i)).toCompletableFuture());
        }
        for (CompletableFuture<Void> answer : answers) {
            await(answer);
        }

        Map<ProgressKey, Progress> told = replayed();

        assertThat(told).hasSize(7);
        for (int i = 494; i <= 500; i++) {
            assertThat(told).containsEntry(client(i % 7), progress(i));
        }
    }

    @Test
    void removedKeyIsNotReplayed() throws Exception {
        append(client(1), progress(1));
        append(client(2), progress(2));
        append(client(1), null);

        assertThat(replayed()).containsExactly(Map.entry(client(2), progress(2)));
    }

    @Test
    void aFollowerGetsLaterChanges() throws Exception {
        append(client(1), progress(1));
        RecordingFollower<Change<ProgressKey, Progress>> follower = new RecordingFollower<>();
        ChangeLog<ProgressKey, Progress> followed = log();
        followed.follow(follower);
        follower.awaitEnds(followed::ends);

        append(client(1), progress(2));
        append(client(1), null);

        follower.awaitEnds(followed::ends);
        assertThat(follower.records())
                .containsExactly(
                        new Change<>(client(1), progress(1)),
                        new Change<>(client(1), progress(2)),
                        new Change<>(client(1), null));
        assertThat(follower.followed().stream()
                        .map(RecordingFollower.Followed::offset)
                        .toList())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void aFollowerGetsTheConditions() throws Exception {
        List<Change<ProgressKey, Progress>> changes = List.of(
                new Change<>(client(1), progress(1)),
                new Change<>(client(1), null, new ChangeCondition.ExpiredBy(1_234_567_890_123L)),
                new Change<>(client(1), progress(1), new ChangeCondition.Repeated(77)),
                new Change<>(client(1), null));
        for (Change<ProgressKey, Progress> change : changes) {
            await(log().append(change).toCompletableFuture());
        }

        assertThat(RecordingFollower.read(log())).containsExactlyElementsOf(changes);
    }

    @Test
    void aSecondFollowerGetsEverything() throws Exception {
        append(client(1), progress(1));
        replayed();
        append(client(1), progress(2));

        assertThat(replayed()).containsExactly(Map.entry(client(1), progress(2)));
    }

    private Map<ProgressKey, Progress> replayed() {
        Map<ProgressKey, Progress> known = new HashMap<>();
        for (Change<ProgressKey, Progress> change : RecordingFollower.read(log())) {
            Progress value = change.value();
            if (value == null) {
                known.remove(change.key());
            } else {
                known.put(change.key(), value);
            }
        }
        return known;
    }

    private void append(ProgressKey key, @Nullable Progress value) throws Exception {
        await(log().append(key, value).toCompletableFuture());
    }

    private static void await(CompletableFuture<Void> answer)
            throws InterruptedException, ExecutionException, TimeoutException {
        answer.get(20, TimeUnit.SECONDS);
    }

    private static ProgressKey client(int number) {
        return new ProgressKey(new ClientId("client-" + number), 1, 1);
    }

    private static Progress progress(int lowest) {
        return new Progress(lowest, List.of(), List.of(), Progress.UNKNOWN);
    }
}

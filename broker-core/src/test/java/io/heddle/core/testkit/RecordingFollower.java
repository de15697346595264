package io.heddle.core.testkit;

import static org.awaitility.Awaitility.await;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.FollowedPositions;
import io.heddle.core.changelog.LogFollower;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A follower that keeps everything it gets. Thread-safe. */
public final class RecordingFollower<R> implements LogFollower<R> {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final List<Followed<R>> followed = new CopyOnWriteArrayList<>();
    private final FollowedPositions positions = new FollowedPositions();
    private volatile @Nullable List<Long> endsAtStart;
    private volatile boolean full;
    private volatile @Nullable String lost;

    /** A record of a log with its place. */
    public record Followed<R>(int partition, long offset, R record) {}

    /** Reads all changes that a log has now. */
    public static List<ClientChange> read(ClientLog log) {
        RecordingFollower<ClientChange> follower = new RecordingFollower<>();
        log.follow(follower);
        follower.awaitEnds(log::ends);
        return follower.records();
    }

    /** Reads all changes that a log has now. */
    public static <K, V> List<ChangeLog.Change<K, V>> read(ChangeLog<K, V> log) {
        RecordingFollower<ChangeLog.Change<K, V>> follower = new RecordingFollower<>();
        log.follow(follower);
        follower.awaitEnds(log::ends);
        return follower.records();
    }

    /** Waits until everything was read that the log has now. */
    public void awaitEnds(Supplier<CompletionStage<List<Long>>> ends) {
        CompletableFuture<List<Long>> asked = ends.get().toCompletableFuture();
        await().atMost(TIMEOUT).until(asked::isDone);
        CompletableFuture<Void> reached = positions.whenReached(asked.join()).toCompletableFuture();
        await().atMost(TIMEOUT).until(reached::isDone);
        reached.join();
    }

    /** Lets it accept records, or not. */
    public void full(boolean isFull) {
        full = isFull;
    }

    public List<Followed<R>> followed() {
        return List.copyOf(followed);
    }

    public List<R> records() {
        return followed.stream().map(Followed::record).toList();
    }

    /** The reason why the log was lost, or null. */
    public @Nullable String lost() {
        return lost;
    }

    @Override
    public void onStart(List<Long> ends) {
        if (endsAtStart != null || !followed.isEmpty()) {
            throw new IllegalStateException("onStart is called first and once");
        }
        endsAtStart = ends;
    }

    @Override
    public boolean hasRoom() {
        return !full;
    }

    @Override
    public void onRecord(int partition, long offset, R record) {
        if (endsAtStart == null) {
            throw new IllegalStateException("onStart is called first");
        }
        followed.add(new Followed<>(partition, offset, record));
    }

    @Override
    public void onReached(int partition, long next) {
        positions.onReached(partition, next);
    }

    @Override
    public void onLost(String reason) {
        lost = reason;
        positions.onLost(reason);
    }
}

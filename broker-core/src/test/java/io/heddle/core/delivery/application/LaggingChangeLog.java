package io.heddle.core.delivery.application;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.LogFollower;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;

/** A log that several nodes share, as a node sees it whose follower lags. One thread uses it. */
final class LaggingChangeLog<K, V> implements ChangeLog<K, V> {
    private final ChangeLog<K, V> shared;
    private final Queue<Runnable> unread = new ArrayDeque<>();
    boolean isLagging;

    LaggingChangeLog(ChangeLog<K, V> shared) {
        this.shared = shared;
    }

    /** Lets the follower read everything. */
    void catchUp() {
        isLagging = false;
        while (!unread.isEmpty()) {
            Objects.requireNonNull(unread.poll()).run();
        }
    }

    private void read(Runnable step) {
        if (isLagging || !unread.isEmpty()) {
            unread.add(step);
        } else {
            step.run();
        }
    }

    @Override
    public CompletionStage<Void> append(Change<K, V> change) {
        return shared.append(change);
    }

    @Override
    public CompletionStage<List<Long>> ends() {
        return shared.ends();
    }

    @Override
    public void follow(LogFollower<Change<K, V>> follower) {
        shared.follow(new LogFollower<>() {
            @Override
            public void onStart(List<Long> ends) {
                follower.onStart(ends);
            }

            @Override
            public boolean hasRoom() {
                return true;
            }

            @Override
            public void onRecord(int partition, long offset, Change<K, V> record) {
                read(() -> follower.onRecord(partition, offset, record));
            }

            @Override
            public void onReached(int partition, long next) {
                read(() -> follower.onReached(partition, next));
            }

            @Override
            public void onLost(String reason) {
                follower.onLost(reason);
            }
        });
    }
}

package io.heddle.core.changelog;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/**
 * Applies the changes of a {@link ChangeLog} on the thread of the log. Any thread may call the other methods.
 */
public final class FollowedChanges<K, V> implements LogFollower<ChangeLog.Change<K, V>> {
    private final ChangeLog<K, V> log;
    private final ObjLongConsumer<ChangeLog.Change<K, V>> changes;
    private final Consumer<String> onLost;
    private final FollowedPositions positions = new FollowedPositions();

    /**
     * @param changes applies a change with its offset, on the thread of the log
     * @param onLost receives one clause for the operator when the log cannot be followed any further
     */
    public FollowedChanges(
            ChangeLog<K, V> log, ObjLongConsumer<ChangeLog.Change<K, V>> changes, Consumer<String> onLost) {
        this.log = log;
        this.changes = changes;
        this.onLost = onLost;
    }

    /** Starts to follow. Called once. */
    public void follow() {
        log.follow(this);
    }

    /** Completes when all changes that the log has at the time of the call are applied. Fails if the log does not answer. */
    public CompletionStage<Void> readToEnd() {
        return log.ends().thenCompose(positions::whenReached);
    }

    /** Returns how far the log is applied. */
    public FollowedPositions positions() {
        return positions;
    }

    @Override
    public void onStart(List<Long> ends) {
        positions.onStart(ends);
    }

    @Override
    public boolean hasRoom() {
        return true;
    }

    @Override
    public void onRecord(int partition, long offset, ChangeLog.Change<K, V> record) {
        changes.accept(record, offset);
    }

    @Override
    public void onReached(int partition, long next) {
        positions.onReached(partition, next);
    }

    @Override
    public void onLost(String reason) {
        positions.onLost(reason);
        onLost.accept(reason);
    }
}

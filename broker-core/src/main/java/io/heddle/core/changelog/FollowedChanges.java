package io.heddle.core.changelog;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Applies the changes of a {@link ChangeLog} on the thread of the log. States: followed → held. In the state held this node is the only one
 * that writes, and its memory is ahead of the log: the echo of its own changes is ignored. Any thread may call the other methods.
 */
public final class FollowedChanges<K, V> implements LogFollower<ChangeLog.Change<K, V>> {
    private final ChangeLog<K, V> log;
    private final ChangeLog.Listener<K, V> changes;
    private final Consumer<String> onLost;
    private final FollowedPositions positions = new FollowedPositions();
    private volatile boolean held;

    /**
     * @param changes applies a change, on the thread of the log
     * @param onLost receives one clause for the operator when the log cannot be followed any further
     */
    public FollowedChanges(ChangeLog<K, V> log, ChangeLog.Listener<K, V> changes, Consumer<String> onLost) {
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

    /** From now on this node holds the map. Called after {@link #readToEnd}, when no other node can write. */
    public void hold() {
        held = true;
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
        if (!held) {
            changes.changed(record.key(), record.value());
        }
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

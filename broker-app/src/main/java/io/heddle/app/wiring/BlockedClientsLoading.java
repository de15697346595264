package io.heddle.app.wiring;

import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.operator.blocked.BlockedWatch;

/** Reads the blocked clients, before the node accepts clients. Without PostgreSQL the node does not start. */
final class BlockedClientsLoading implements StartupPhase {
    private final BlockedWatch watch;

    BlockedClientsLoading(BlockedWatch watch) {
        this.watch = watch;
    }

    @Override
    public String name() {
        return "the blocked clients";
    }

    @Override
    public void start() {
        watch.load();
    }

    @Override
    public void stop() {
        // Nothing to stop.
    }
}

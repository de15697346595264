package io.heddle.core.session.registrar.remote;

import java.util.concurrent.CompletionStage;

/** Tells how far this node follows the log of the clients, and how far the log was committed here. Thread-safe. */
public interface FollowedClients {
    /** Returns the highest offset of a bucket that this node has committed or has seen committed; -1 if there is none. */
    long committed(int bucket);

    /** Completes when this node has applied the change of a bucket at this offset, and all before it. Never fails. */
    CompletionStage<Void> whenApplied(int bucket, long offset);
}

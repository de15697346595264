package io.heddle.core.session.queue;

import io.heddle.core.session.persistent.PersistentSession;
import java.util.concurrent.CompletionStage;

/** Knows when ending sessions have left the groups of their shared subscriptions at the other nodes. */
@FunctionalInterface
public interface Memberships {
    /**
     * Completes when no node routes messages to a session whose record says that it ends. Never fails. Any thread.
     */
    CompletionStage<Void> whenLeft(PersistentSession session);
}

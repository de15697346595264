package io.heddle.core.session.queue;

import io.heddle.core.session.persistent.PersistentSession;
import java.util.concurrent.CompletionStage;

/** The membership of ending sessions in the groups of their shared subscriptions, as all nodes know it. */
public interface Memberships {
    /**
     * Ends the membership of a session that is ending. On the loop that owns the session.
     *
     * @return completes when the end is durable, and all nodes that answer soon route no more messages to the session as a member; fails if it is
     *     not known to be durable
     */
    CompletionStage<Void> end(PersistentSession session);

    /**
     * Makes a session a member again, because another node ends it: that node hands its queue over only if it finds a member. On the loop that
     * owns the session.
     *
     * @return completes when the membership is durable; fails if it is not known to be
     */
    CompletionStage<Void> restore(PersistentSession session);
}

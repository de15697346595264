package io.heddle.core.session.queue;

import io.heddle.core.session.persistent.PersistentSession;
import java.util.concurrent.CompletionStage;

/** Whether the nodes know sessions as members of the groups of their shared subscriptions. */
public interface Memberships {
    /**
     * Removes an ending session from its groups. On the loop that owns the session.
     *
     * @return completes when the removal is durable and the other nodes route no more messages of these groups to the session, except nodes
     *     that do not confirm that in time; fails if the removal is not known to be durable
     */
    CompletionStage<Void> end(PersistentSession session);

    /**
     * Makes a session a member of its groups again. The next holder of its bucket will end it, and transfers the queue of a member only. On the
     * loop that owns the session.
     *
     * @return completes when the membership is durable; fails if it is not known to be durable
     */
    CompletionStage<Void> restore(PersistentSession session);
}

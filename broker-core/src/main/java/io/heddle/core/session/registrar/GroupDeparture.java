package io.heddle.core.session.registrar;

import io.heddle.core.client.EventLoop;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.queue.Memberships;
import io.heddle.core.session.registrar.settlement.Settlement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until all nodes that route messages have applied the record of an ending session, or for {@link #FOLLOWED_LIMIT}. Thread-safe. */
record GroupDeparture(Settlement settlement) implements Memberships {
    /** A node with a broken link reads the log, too, but cannot confirm that. The client's next CONNECT waits for this. */
    private static final Duration FOLLOWED_LIMIT = Duration.ofSeconds(3);

    private static final Logger log = LoggerFactory.getLogger(GroupDeparture.class);

    @Override
    public CompletionStage<Void> whenLeft(PersistentSession session) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        EventLoop.Timer limit = session.registrarLoop().schedule(FOLLOWED_LIMIT, () -> over.complete(null));
        settlement.whenFollowed(session.bucket()).whenComplete((_, failure) -> {
            limit.cancel();
            if (failure != null) {
                log.debug(
                        "Not all nodes are known to have read that a session has left its groups: clientId={}",
                        session.clientId(),
                        failure);
            }
            over.complete(null);
        });
        return over;
    }
}

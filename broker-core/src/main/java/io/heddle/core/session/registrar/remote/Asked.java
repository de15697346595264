package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A request of this node, independent of the holder that is asked. */
sealed interface Asked {
    /**
     * A client asks for its session.
     *
     * @param answer is complete before the answer arrives if the caller has given up
     */
    record Opening(OpenRequest request, CompletableFuture<OpenOutcome> answer, EventLoop.Timer limit)
            implements Asked {
        ClientId clientId() {
            return request.identity().clientId();
        }

        boolean isGivenUp() {
            return answer.isDone();
        }
    }

    /** A connection is lost. */
    record Leaving(Departure departure, CompletableFuture<Void> left) implements Asked {}

    /** A client changes its subscriptions. */
    record Changing(SubscriptionChange change, CompletableFuture<ChangeOutcome> answer) implements Asked {}

    /** An earlier holder may have granted a connection of the client that this node does not have. */
    record Missing(ClientId clientId) implements Asked {}

    /** The clients without persistent sessions. */
    record Announcing(List<TransientClient> clients) implements Asked {}
}

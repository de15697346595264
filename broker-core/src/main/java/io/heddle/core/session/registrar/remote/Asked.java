package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.LeaveOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** A request of this node, independent of the holder that is asked. */
sealed interface Asked {
    /** A client asks for its session. */
    final class Opening implements Asked {
        private final OpenRequest request;
        private final BooleanSupplier isLost;
        private final CompletableFuture<OpenOutcome> answer;
        private final EventLoop.Timer limit;
        private boolean wasSent;

        /** @param answer is complete before the answer arrives if the caller has given up */
        Opening(
                OpenRequest request,
                BooleanSupplier isLost,
                CompletableFuture<OpenOutcome> answer,
                EventLoop.Timer limit) {
            this.request = request;
            this.isLost = isLost;
            this.answer = answer;
            this.limit = limit;
        }

        OpenRequest request() {
            return request;
        }

        ClientId clientId() {
            return request.identity().clientId();
        }

        /** Returns whether the client is lost. */
        boolean isLost() {
            return isLost.getAsBoolean();
        }

        CompletableFuture<OpenOutcome> answer() {
            return answer;
        }

        EventLoop.Timer limit() {
            return limit;
        }

        boolean isGivenUp() {
            return answer.isDone();
        }

        void sent() {
            wasSent = true;
        }

        /** Returns whether a holder may have granted it. */
        boolean wasSent() {
            return wasSent;
        }
    }

    /** A connection is lost. */
    record Leaving(Departure departure, CompletableFuture<LeaveOutcome> left) implements Asked {}

    /**
     * A client changes its subscriptions.
     *
     * @param answer is complete before the answer arrives if the caller has given up
     */
    record Changing(SubscriptionChange change, CompletableFuture<ChangeOutcome> answer, EventLoop.Timer limit)
            implements Asked {
        boolean isGivenUp() {
            return answer.isDone();
        }
    }

    /** An earlier holder may have granted a connection of the client that this node does not have. */
    record Missing(ClientId clientId) implements Asked {}

    /** The clients without persistent sessions. */
    record Announcing(List<TransientClient> clients) implements Asked {}
}

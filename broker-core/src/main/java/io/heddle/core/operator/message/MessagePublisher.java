package io.heddle.core.operator.message;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.publish.PublishCallback;
import io.heddle.core.publish.PublishOutcome;
import io.heddle.core.publish.PublishService;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Publishes messages of administrators like those of clients. Messages on one topic are routed on one event loop, in the order of the calls.
 * Thread-safe; blocks its callers, so not on an event loop. Bound: the callers limit the number of messages at a time.
 */
public final class MessagePublisher {
    private final PublishService publishService;
    private final BucketPositions positions;
    private final RoutingLease lease;
    private final List<EventLoop> loops;

    public MessagePublisher(
            PublishService publishService, BucketPositions positions, RoutingLease lease, List<EventLoop> loops) {
        this.publishService = publishService;
        this.positions = positions;
        this.lease = lease;
        this.loops = List.copyOf(loops);
    }

    /**
     * Publishes a message and waits until a client would have its PUBACK: until the message is durable where it must be stored, while a
     * bucket of its recipients lags, and while the node does not know whether it is still a member.
     *
     * @return {@link PublishOutcome.Routed} or {@link PublishOutcome.Refused}
     * @throws StoreUnavailableException if the outcome is unknown after ten seconds; the message may have been published
     */
    public PublishOutcome publish(PublishMessage message) {
        EventLoop loop = loops.get(Math.floorMod(message.topic().hashCode(), loops.size()));
        Publication publication = new Publication(message, loop);
        loop.execute(publication::publish);
        try {
            return Answers.await(publication.answer, "the publication of a message", StoreUnavailableException::kafka);
        } finally {
            publication.cancel();
        }
    }

    /** One message on its way. On its event loop, except that the outcome arrives on other threads. */
    private final class Publication implements PublishCallback {
        private final PublishMessage message;
        private final EventLoop loop;
        private final CompletableFuture<PublishOutcome> answer = new CompletableFuture<>();
        private final Runnable answerAgain;
        // On the loop.
        private @Nullable PublishOutcome outcome;

        Publication(PublishMessage message, EventLoop loop) {
            this.message = message;
            this.loop = loop;
            this.answerAgain = () -> loop.execute(this::answer);
        }

        void publish() {
            PublishOutcome result = publishService.publish(message, this);
            if (result instanceof PublishOutcome.Refused) {
                answer.complete(result);
            } else if (result != PublishOutcome.Pending.PENDING) {
                outcome = result;
                answer();
            }
        }

        private void answer() {
            PublishOutcome known = outcome;
            if (known == null || answer.isDone()) {
                return;
            }
            if (lease.isValid()) {
                answer.complete(known);
            } else {
                lease.whenValid(answerAgain);
            }
        }

        /** The caller has its answer, or waits no longer. */
        void cancel() {
            answer.cancel(false);
            lease.cancel(answerAgain);
        }

        @Override
        public void onDurable(PublishOutcome known, @Nullable Backlog backlog) {
            loop.execute(() -> {
                outcome = known;
                if (backlog == null) {
                    answer();
                } else {
                    var _ = positions.whenCaughtUp(backlog, answerAgain);
                }
            });
        }

        @Override
        public void onFailed(Throwable reason) {
            answer.completeExceptionally(StoreUnavailableException.kafka("the message could not be stored", reason));
        }
    }
}

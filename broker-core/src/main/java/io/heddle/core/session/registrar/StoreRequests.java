package io.heddle.core.session.registrar;

import io.heddle.core.client.EventLoop;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The requests to stores that open one session, one after the other. Owned by the event loop that owns the session. The answer
 * to a request that comes after the end is ignored.
 */
final class StoreRequests {
    private final EventLoop eventLoop;
    private final Consumer<Throwable> failed;
    private boolean ended;

    /** @param failed receives the failure of a request, unless the requests have ended */
    StoreRequests(EventLoop eventLoop, Consumer<Throwable> failed) {
        this.eventLoop = eventLoop;
        this.failed = failed;
    }

    /** Takes the next step on the event loop when a request is answered. */
    <T> void onAnswer(CompletionStage<T> answer, Consumer<T> step) {
        answer.whenComplete((value, failure) -> eventLoop.execute(() -> {
            if (ended) {
                return;
            }
            if (failure != null) {
                failed.accept(failure);
            } else {
                step.accept(value);
            }
        }));
    }

    /** Fails the opening, unless it has ended. On the event loop. */
    void fail(Throwable failure) {
        if (!ended) {
            failed.accept(failure);
        }
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    boolean hasEnded() {
        return ended;
    }

    /** No further step is taken. */
    void end() {
        ended = true;
    }
}

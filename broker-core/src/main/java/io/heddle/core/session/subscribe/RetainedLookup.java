package io.heddle.core.session.subscribe;

import io.heddle.core.client.EventLoop;
import io.heddle.core.retained.RetainedReads;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether this node knows the retained messages of the session's new subscriptions, and delays their SUBACKs until it does. So a
 * message that is published after SUBACK does not overtake an older retained one. Subscriptions have numbers in the order in which all nodes
 * know them. Owned by the session's event loop.
 *
 * <p>Bounds: one question at a time. SUBACK waits for at most {@value #ANSWER_LIMIT_MILLIS} ms, because the log may be away for long.
 */
final class RetainedLookup {
    static final int ANSWER_LIMIT_MILLIS = 2_000;
    private static final Duration ANSWER_LIMIT = Duration.ofMillis(ANSWER_LIMIT_MILLIS);

    private final SessionHandle session;
    private final RetainedReads reads;
    private @Nullable ArrayDeque<Answer> answers;
    private long last;
    private long known;
    private boolean isAsked;
    // While a question is asked, which may be answered at once.
    private boolean isAsking;

    private record Answer(long number, EventLoop.Timer limit, Runnable task) {}

    RetainedLookup(SessionHandle session, RetainedReads reads) {
        this.session = session;
        this.reads = reads;
    }

    /** Returns the number of a subscription that all nodes know since now. */
    long add() {
        return ++last;
    }

    /** Returns whether this node knows the retained messages of a subscription. Otherwise the session proceeds when it does. */
    boolean isKnown(long number) {
        if (number > known && !isAsked) {
            ask();
        }
        return number <= known;
    }

    /** Runs a task when this node knows the retained messages of the latest subscription, or at the limit. The task does not throw. */
    void whenKnown(Runnable task) {
        if (isKnown(last)) {
            task.run();
            return;
        }
        ArrayDeque<Answer> waiting = answers;
        if (waiting == null) {
            waiting = new ArrayDeque<>(1);
            answers = waiting;
        }
        long number = last;
        waiting.add(new Answer(number, session.eventLoop().schedule(ANSWER_LIMIT, () -> answer(number)), task));
    }

    private void ask() {
        isAsked = true;
        isAsking = true;
        long number = last;
        reads.whenKnown(session.eventLoop(), () -> known(number));
        isAsking = false;
    }

    private void known(long number) {
        known = number;
        isAsked = false;
        if (isAsking) {
            return;
        }
        Answer next = answer(number);
        while (next != null && isKnown(next.number)) {
            next = answer(known);
        }
        if (session.isConnected()) {
            session.proceed();
        }
    }

    /** Runs the tasks up to a number; returns the next one. */
    private @Nullable Answer answer(long number) {
        ArrayDeque<Answer> waiting = answers;
        Answer next = waiting == null ? null : waiting.peek();
        while (waiting != null && next != null && next.number <= number) {
            waiting.remove();
            next.limit.cancel();
            next.task.run();
            next = waiting.peek();
        }
        return next;
    }
}

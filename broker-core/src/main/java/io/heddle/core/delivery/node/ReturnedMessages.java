package io.heddle.core.delivery.node;

import io.heddle.core.FailureLog;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicFilter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages of shared subscriptions that another node has not given to a member: it has none any more, or has ended. They are dispatched to
 * other members, in small steps; while a shared subscription has no room, its messages wait in their order. Owned by one event loop; any thread may
 * return messages. Bound: the messages that publishers may send before they are acknowledged.
 */
final class ReturnedMessages {
    /** By then, this node has usually read that the other one has no member. */
    static final Duration DELAY = Duration.ofMillis(20);

    private static final Logger log = LoggerFactory.getLogger(ReturnedMessages.class);
    private static final Duration TRY_AGAIN = Duration.ofMillis(100);
    private static final int MESSAGES_PER_STEP = 16;

    private final EventLoop eventLoop;
    private final Counter noMember;
    private final ArrayDeque<Returned> due = new ArrayDeque<>();
    private final ArrayDeque<Returned> waiting = new ArrayDeque<>();
    // The shared subscriptions of those that wait.
    private final Set<TopicFilter> full = new HashSet<>();
    private boolean isRunning;
    private volatile @Nullable SharedRedispatch redispatch;

    /** @param onDone runs when the message is durable or confirmed, or is lost and counted */
    record Returned(PublishMessage message, TopicFilter sharedFilter, Runnable onDone) {}

    ReturnedMessages(EventLoop eventLoop, MeterRegistry metrics) {
        this.eventLoop = eventLoop;
        this.noMember = metrics.counter("heddle.messages.dropped", "reason", "no_group_member");
    }

    /** Sets the dispatcher. Before the first message. */
    void dispatchWith(SharedRedispatch dispatcher) {
        redispatch = dispatcher;
    }

    /** Dispatches messages after a delay. Any thread. */
    void add(List<Returned> returned, Duration delay) {
        if (!returned.isEmpty()) {
            eventLoop.execute(() -> eventLoop.schedule(delay, () -> begin(returned)));
        }
    }

    private void begin(List<Returned> returned) {
        due.addAll(returned);
        if (!isRunning && !due.isEmpty()) {
            isRunning = true;
            eventLoop.inBackground(this::dispatchSome);
        }
    }

    private boolean dispatchSome() {
        for (int i = 0; i < MESSAGES_PER_STEP && !due.isEmpty(); i++) {
            dispatch(due.remove());
        }
        isRunning = !due.isEmpty();
        return isRunning;
    }

    private void dispatch(Returned next) {
        switch (full.contains(next.sharedFilter) ? SharedRedispatch.Outcome.NO_ROOM : tryToDispatch(next)) {
            case TAKEN -> {}
            case NO_MEMBER -> {
                noMember.increment();
                next.onDone.run();
            }
            case NO_ROOM -> await(next);
        }
    }

    private SharedRedispatch.Outcome tryToDispatch(Returned next) {
        SharedRedispatch dispatcher = redispatch;
        if (dispatcher == null) {
            return SharedRedispatch.Outcome.NO_ROOM;
        }
        try {
            return dispatcher.redispatch(
                    next.message, next.sharedFilter, next.onDone, () -> eventLoop.execute(() -> await(next)));
        } catch (RuntimeException fault) {
            FailureLog.warn(
                    log,
                    "Could not dispatch a message of a shared subscription to another member; retrying: filter="
                            + next.sharedFilter,
                    fault);
            return SharedRedispatch.Outcome.NO_ROOM;
        }
    }

    private void await(Returned next) {
        full.add(next.sharedFilter);
        waiting.add(next);
        if (waiting.size() == 1) {
            eventLoop.schedule(TRY_AGAIN, this::tryAgain);
        }
    }

    private void tryAgain() {
        full.clear();
        waiting.addAll(due);
        due.clear();
        List<Returned> all = List.copyOf(waiting);
        waiting.clear();
        begin(all);
    }
}

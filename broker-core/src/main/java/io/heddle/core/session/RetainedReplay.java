package io.heddle.core.session;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.retained.RetainedCursor;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.subscription.Subscription;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends a client the retained messages of its new subscriptions, as fast as it takes them: nothing is looked up before the client
 * has room for it. Belongs to the event loop of the client's connection; one of a persistent session moves to the next.
 *
 * <p>Bounds: one replay for each of the session's filters, one after the other; only the current one has a cursor. The first few messages come at once,
 * all others in the background of the loop, where all clients take turns.
 */
final class RetainedReplay {
    private static final int MESSAGES_PER_STEP = 16;
    private static final int VISITS_PER_STEP = 256;

    private final RetainedMessages retained;
    private ClientSession session;
    private final Map<String, Replay> replays = new LinkedHashMap<>();
    private boolean scheduled;

    /** A cursor takes much more memory than a subscription, so there is none for a replay that has not begun. */
    private record Replay(
            Subscription subscription, @Nullable RetainedCursor cursor) {}

    RetainedReplay(ClientSession session, RetainedMessages retained) {
        this.session = session;
        this.retained = retained;
    }

    /** Goes on over another connection, whose caller has it now. */
    void moveTo(ClientSession next) {
        session = next;
        scheduled = false;
    }

    /** Begins a replay; one of the same filter that is under way ends. */
    void add(Subscription subscription) {
        String filter = subscription.topicFilter().value();
        replays.remove(filter);
        replays.put(filter, new Replay(subscription, null));
    }

    /** The subscription has other options: what is still to come follows them [MQTT-3.8.4-8]. */
    void replace(Subscription subscription) {
        replays.computeIfPresent(
                subscription.topicFilter().value(), (_, replay) -> new Replay(subscription, replay.cursor()));
    }

    /** The subscription is gone. */
    void remove(String filter) {
        replays.remove(filter);
    }

    /** Goes on when the client takes more. */
    void proceed() {
        if (scheduled || !step()) {
            return;
        }
        scheduled = true;
        ClientSession here = session;
        here.eventLoop().inBackground(() -> {
            if (!here.isConnected()) {
                // The replay belongs to the next connection, or will.
                return false;
            }
            scheduled = step();
            return scheduled;
        });
    }

    /** Sends some messages; returns whether the client takes more of them now. */
    private boolean step() {
        int messages = 0;
        long visits = 0;
        Iterator<Map.Entry<String, Replay>> each = replays.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<String, Replay> next = each.next();
            Subscription subscription = next.getValue().subscription();
            RetainedCursor cursor = next.getValue().cursor();
            if (cursor == null) {
                if (visits >= VISITS_PER_STEP) {
                    return true;
                }
                cursor = retained.matching(subscription.topicFilter());
                next.setValue(new Replay(subscription, cursor));
            }
            while (!cursor.isDone()) {
                if (!session.takesRetained(subscription.terms().maximumQos())) {
                    return false;
                }
                if (messages >= MESSAGES_PER_STEP || visits >= VISITS_PER_STEP) {
                    return true;
                }
                long before = cursor.visited();
                PublishMessage message = cursor.next((int) (VISITS_PER_STEP - visits));
                visits += cursor.visited() - before;
                if (message != null) {
                    messages++;
                    deliver(message, subscription);
                }
            }
            each.remove();
        }
        return false;
    }

    private void deliver(PublishMessage message, Subscription subscription) {
        // [MQTT-3.8.3-3]
        boolean ownMessage = subscription.noLocal() && message.publisher().equals(session.clientId());
        if (!ownMessage) {
            session.deliverRetained(message, subscription.terms());
        }
    }
}

package io.heddle.core.session.subscribe;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Retained messages that may be older than a live message with RETAIN that the session was sent before them: it came over a link, perhaps
 * before this node has read it in the log. They are not sent. Their topics are looked up again later, when the log has the live message.
 * Owned by the session's event loop.
 *
 * <p>Bounds: {@value #MAXIMUM} topics of live messages, of which the oldest is forgotten, and as many topics that are looked up again. Further
 * messages are sent at once.
 */
final class OvertakenMessages {
    static final int MAXIMUM = 256;
    /** A topic may get new messages all the time. */
    private static final int MAXIMUM_LOOKUPS = 5;

    // The last live message of each topic.
    private final Map<TopicName, Live> live = new LinkedHashMap<>();
    // For the next lookup, and for the current one.
    private final ArrayDeque<Overtaken> waiting = new ArrayDeque<>(1);
    private final ArrayDeque<Overtaken> due = new ArrayDeque<>(1);
    private long lastNumber;

    private record Live(long number, ClientId publisher, int payload) {
        boolean isOf(PublishMessage message) {
            return publisher.equals(message.publisher())
                    && payload == message.payload().hashCode();
        }
    }

    /**
     * A topic that is looked up again.
     *
     * @param filter of the subscription
     * @param number of the live message that may be newer than the retained one
     * @param lookups so far
     */
    record Overtaken(String filter, TopicName topic, long number, int lookups) {}

    /** The session is sent a live message with RETAIN. */
    void onLive(PublishMessage message) {
        TopicName topic = message.topic();
        live.remove(topic);
        if (live.size() == MAXIMUM) {
            live.remove(live.keySet().iterator().next());
        }
        live.put(
                topic,
                new Live(++lastNumber, message.publisher(), message.payload().hashCode()));
    }

    /** Returns whether the retained message of a topic must not be sent now, and has it looked up again. */
    boolean isOvertaken(String filter, PublishMessage found) {
        Live newer = live.get(found.topic());
        if (newer == null || newer.isOf(found) || waiting.size() + due.size() >= MAXIMUM) {
            return false;
        }
        waiting.add(new Overtaken(filter, found.topic(), newer.number, 1));
        return true;
    }

    /** Returns whether no topic is looked up again. */
    boolean isEmpty() {
        return waiting.isEmpty() && due.isEmpty();
    }

    /** Returns whether topics wait for the next lookup. */
    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** The log has the messages that were live before: the waiting topics are due. */
    void onKnown() {
        due.addAll(waiting);
        waiting.clear();
    }

    /** The next due topic, until it is {@link #remove}d; null for none. */
    @Nullable
    Overtaken next() {
        return due.peek();
    }

    /**
     * The next due topic was looked up again.
     *
     * @param found its message, or null
     * @return whether the message is sent now
     */
    boolean remove(@Nullable PublishMessage found) {
        Overtaken topic = due.remove();
        if (found == null) {
            return false;
        }
        Live last = live.get(topic.topic);
        if (last == null || last.number == topic.number || last.isOf(found) || topic.lookups == MAXIMUM_LOOKUPS) {
            return true;
        }
        waiting.add(new Overtaken(topic.filter, topic.topic, last.number, topic.lookups + 1));
        return false;
    }

    /** The filters of the subscriptions whose messages have still to be looked up. */
    Set<String> filters() {
        Set<String> filters = new HashSet<>();
        due.forEach(each -> filters.add(each.filter));
        waiting.forEach(each -> filters.add(each.filter));
        return filters;
    }
}

package io.heddle.core.retained;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.retained.trie.RetainedMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which records of the log take effect, with the same result on all nodes. Remembers the topics whose last record in the log took no
 * effect: compaction would keep this record and not the one in force, so one node repeats the value in force. Used by the writer that holds
 * the lock. Bound: the records without effect that no later record has replaced, each of which was overtaken within the time of a commit; and
 * {@value #MAXIMUM_SETTLED} topics that were repeated.
 */
final class ConditionalRecords {
    private static final int MAXIMUM_SETTLED = 10_000;
    private static final long NONE = -1;

    /** The offset of the last record of a topic, if it took no effect. */
    private final Map<TopicName, Long> overtaken = new LinkedHashMap<>();

    /** The highest earlier offset. A repetition of a record up to this one is late. */
    private final Map<TopicName, Long> settled = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<TopicName, Long> eldest) {
            return size() > MAXIMUM_SETTLED;
        }
    };

    /**
     * Returns whether the next followed record takes effect.
     *
     * @param inForce the value that the followed part of the log gives the topic
     */
    boolean takesEffect(Change<TopicName, PublishMessage> record, long offset, @Nullable RetainedMessage inForce) {
        TopicName topic = record.key();
        return switch (record.condition()) {
            case ChangeCondition.Always _ -> {
                settle(topic);
                yield true;
            }
            case ChangeCondition.ExpiredBy(long millis) -> {
                settle(topic);
                if (inForce == null || inForce.expiresBy(millis)) {
                    yield true;
                }
                overtaken.put(topic, offset);
                yield false;
            }
            case ChangeCondition.Repeated(long repeated) -> {
                long last = overtaken.getOrDefault(topic, NONE);
                boolean isLate = last > repeated || settled.getOrDefault(topic, NONE) >= repeated;
                settle(topic);
                if (isLate) {
                    overtaken.put(topic, offset);
                } else {
                    settled.put(topic, repeated);
                }
                yield last != repeated && !isLate;
            }
        };
    }

    private void settle(TopicName topic) {
        if (!overtaken.isEmpty()) {
            Long last = overtaken.remove(topic);
            if (last != null) {
                settled.put(topic, last);
            }
        }
    }

    /** Returns the topics whose last record in the log took no effect, with the offset of this record. */
    Map<TopicName, Long> overtaken() {
        return overtaken;
    }
}

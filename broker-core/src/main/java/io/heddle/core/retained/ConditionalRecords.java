package io.heddle.core.retained;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which records of the log take effect, with the same result on all nodes. Remembers the topics whose last record in the log has no
 * effect: compaction would keep this record and not the one in force, so one node repeats the value in force. Used by the writer that holds
 * the lock. Bound: the records without effect that no later record has replaced; each was overtaken within the time of a commit.
 */
final class ConditionalRecords {
    private final Set<TopicName> overtaken = new LinkedHashSet<>();

    /**
     * Returns whether the next followed record takes effect.
     *
     * @param inForce the value that the followed part of the log gives the topic
     */
    boolean takesEffect(Change<TopicName, PublishMessage> record, @Nullable RetainedMessage inForce) {
        TopicName topic = record.key();
        PublishMessage message = record.value();
        return switch (record.condition()) {
            case ChangeCondition.Always _ -> {
                // A repetition of an earlier message may follow a removal, so the topic stays in doubt.
                if (message != null) {
                    overtaken.remove(topic);
                }
                yield true;
            }
            case ChangeCondition.ExpiredBy(long millis) -> {
                if (inForce == null || inForce.expiresBy(millis)) {
                    overtaken.remove(topic);
                    yield true;
                }
                overtaken.add(topic);
                yield false;
            }
            case ChangeCondition.Repeated _ -> {
                if (inForce == null && !overtaken.contains(topic)) {
                    yield true;
                }
                if (inForce != null && message != null && inForce.isSameAs(message)) {
                    overtaken.remove(topic);
                } else {
                    overtaken.add(topic);
                }
                yield false;
            }
        };
    }

    /** Returns topics whose last record in the log has no effect. */
    Set<TopicName> overtaken() {
        return overtaken;
    }
}

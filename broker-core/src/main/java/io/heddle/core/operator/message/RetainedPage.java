package io.heddle.core.operator.message;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the retained messages that match a filter.
 *
 * @param messages in the order of their topics, level by level, with RETAIN
 * @param next the topic behind which the next page begins, or null if there is none
 */
public record RetainedPage(
        List<PublishMessage> messages, @Nullable TopicName next) {
    public RetainedPage {
        messages = List.copyOf(messages);
    }
}

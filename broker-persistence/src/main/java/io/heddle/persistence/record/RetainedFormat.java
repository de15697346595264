package io.heddle.persistence.record;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.mqtt.TopicName;

/**
 * The format of retained messages.
 *
 * <pre>
 * key:   u8   version, 1
 *        text topic name
 * value: a message, see {@link MessageFormat}
 * </pre>
 */
public final class RetainedFormat implements ChangeFormat<TopicName, PublishMessage> {
    private static final String NAME = "a retained message";
    private static final int VERSION = 1;

    @Override
    public byte[] key(TopicName topic) {
        return new BinaryWriter().u8(VERSION).text(topic.value()).toBytes();
    }

    @Override
    public byte[] value(PublishMessage message) {
        return MessageFormat.encode(message);
    }

    @Override
    public TopicName readKey(RecordReader key) {
        key.version(NAME, VERSION);
        TopicName topic = key.topic();
        key.finish();
        return topic;
    }

    @Override
    public PublishMessage readValue(TopicName topic, RecordReader value) {
        return MessageFormat.read(value);
    }
}

package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.mqtt.TopicName;
import org.junit.jupiter.api.Test;

class RetainedFormatTest {
    private static final TopicName TOPIC = MessageFormatTest.FULL.topic();

    private final RetainedFormat format = new RetainedFormat();

    @Test
    void theFormatIsStable() {
        golden("retained-key-v1", format.key(TOPIC));
        golden("message-full-v1", format.value(MessageFormatTest.FULL));
        assertThat(format.readKey(reader(format.key(TOPIC)))).isEqualTo(TOPIC);
        assertThat(format.readValue(TOPIC, reader(format.value(MessageFormatTest.FULL))))
                .isEqualTo(MessageFormatTest.FULL);
    }

    @Test
    void aLaterVersionIsNamed() {
        byte[] key = format.key(TOPIC);
        key[0] = 9;
        assertThatThrownBy(() -> format.readKey(reader(key))).hasMessageContaining("a retained message of version 9");
    }

    private static void golden(String name, byte[] bytes) {
        assertThat(Golden.hex(bytes)).as(name).isEqualTo(Golden.hex(Golden.bytes(name)));
    }

    private static RecordReader reader(byte[] bytes) {
        return new RecordReader(bytes, () -> "heddle.retained, partition 1, offset 2");
    }
}

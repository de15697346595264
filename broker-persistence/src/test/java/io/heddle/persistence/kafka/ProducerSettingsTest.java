package io.heddle.persistence.kafka;

import static io.heddle.persistence.Startup.sentenceOf;

import io.heddle.persistence.TestSettings;
import org.junit.jupiter.api.Test;

class ProducerSettingsTest {
    @Test
    void aWrongSettingIsNamed() {
        sentenceOf(() -> TestSettings.producers(" ")).contains("heddle.node.id");
        sentenceOf(() -> new ProducerSettings("n", 1 << 20, 64 << 20))
                .contains("heddle.kafka.buffer-memory", "from 33554432B");
        sentenceOf(() -> new ProducerSettings("n", 64 << 20, 1_000)).contains("heddle.kafka.pending-limit");
    }
}

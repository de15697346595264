package io.heddle.persistence.kafka;

import static io.heddle.persistence.Startup.sentenceOf;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProducerSettingsTest {
    @Test
    void theDefaults() {
        assertThat(ProducerSettings.of("node-1")).isEqualTo(new ProducerSettings("node-1", 64 << 20, 64 << 20));
    }

    @Test
    void aWrongSettingIsNamed() {
        sentenceOf(() -> ProducerSettings.of(" ")).contains("heddle.node.id");
        sentenceOf(() -> new ProducerSettings("n", 1 << 20, 64 << 20))
                .contains("heddle.kafka.buffer-memory", "from 33554432B");
        sentenceOf(() -> new ProducerSettings("n", 64 << 20, 1_000)).contains("heddle.kafka.pending-limit");
    }
}

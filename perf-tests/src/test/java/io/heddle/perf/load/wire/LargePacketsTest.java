package io.heddle.perf.load.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LargePacketsTest {
    @Test
    void subscribeHasEachFilterWithItsQos() {
        assertThat(LargePackets.subscribe(MqttVersion.V5, 258, List.of("a", "bc"), 1))
                .containsExactly(0x82, 12, 1, 2, 0, 0, 1, 'a', 1, 0, 2, 'b', 'c', 1);
        assertThat(LargePackets.subscribe(MqttVersion.V3_1_1, 258, List.of("a"), 0))
                .containsExactly(0x82, 6, 1, 2, 0, 1, 'a', 0);
    }

    @Test
    void unsubscribeHasEachFilter() {
        assertThat(LargePackets.unsubscribe(MqttVersion.V5, 258, List.of("a", "bc")))
                .containsExactly(0xA2, 10, 1, 2, 0, 0, 1, 'a', 0, 2, 'b', 'c');
    }

    @Test
    void publishCanBeRetained() {
        byte[] payload = "xy".getBytes(US_ASCII);
        assertThat(LargePackets.publish(MqttVersion.V5, "t", 1, true, 3, payload))
                .containsExactly(0x33, 8, 0, 1, 't', 0, 3, 0, 'x', 'y');
        assertThat(LargePackets.publish(MqttVersion.V3_1_1, "t", 0, false, 0, payload))
                .containsExactly(0x30, 5, 0, 1, 't', 'x', 'y');
    }

    @Test
    void packetIdentifierIsReplacedAfterALengthOfAnySize() {
        byte[] small = LargePackets.subscribe(MqttVersion.V5, 1, List.of("a"), 0);
        LargePackets.setPacketId(small, 0x0405);
        assertThat(small).containsExactly(0x82, 7, 4, 5, 0, 0, 1, 'a', 0);
        byte[] large = LargePackets.unsubscribe(MqttVersion.V5, 1, List.of("a".repeat(20_000)));
        LargePackets.setPacketId(large, 0x0405);
        assertThat(large).startsWith(0xA2, 0xA5, 0x9C, 1, 4, 5, 0);
    }
}

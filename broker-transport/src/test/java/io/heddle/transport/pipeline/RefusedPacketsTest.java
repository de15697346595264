package io.heddle.transport.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.transport.codec.GoldenPackets;
import io.heddle.transport.testkit.RecordingSessions;
import io.micrometer.core.instrument.Counter;
import org.junit.jupiter.api.Test;

/** The limits of packets are named in the log: {@link io.heddle.core.client.ClientIncidents} counts them by their settings. */
final class RefusedPacketsTest {
    private static double refusals(Wire wire, String setting) {
        Counter counter = wire.registry
                .find("heddle.limits.refusals")
                .tag("setting", setting)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    private static void assertRefused(String packet, String setting) {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            wire.receive(packet);

            assertThat(refusals(wire, setting)).isOne();
            assertThat(wire.channel.isActive()).isFalse();
        }
    }

    @Test
    void tooLargePackets() {
        assertRefused("30 FFFFFF7F", "heddle.mqtt.maximum-packet-size");
    }

    @Test
    void tooManyUserProperties() {
        String properties = "26 <k> <v>".repeat(GoldenPackets.LIMITS.maximumUserProperties() + 1);
        assertRefused("30 {<t> {" + properties + "}}", "heddle.mqtt.maximum-user-properties");
    }

    @Test
    void tooManyLevels() {
        String topic = "/".repeat(GoldenPackets.LIMITS.maximumTopicLevels());
        assertRefused("30 {<" + topic + "> 00}", "heddle.mqtt.maximum-topic-levels");
    }

    @Test
    void tooLongTopics() {
        String topic = "t".repeat(GoldenPackets.LIMITS.maximumTopicBytes() + 1);
        assertRefused("30 {<" + topic + "> 00}", "heddle.mqtt.maximum-topic-length");
        assertRefused("82 {0001 00 <" + topic + "> 00}", "heddle.mqtt.maximum-topic-length");
    }

    @Test
    void tooLargeConnects() {
        try (Wire wire = new Wire(new RecordingSessions())) {
            wire.receive("10 FFFFFF7F");

            assertThat(refusals(wire, "heddle.mqtt.maximum-connect-size")).isOne();
        }
    }

    @Test
    void violationsOfTheStandardExceedNoLimit() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            wire.receive("F1 00");

            assertThat(wire.registry.find("heddle.limits.refusals").counters()).isEmpty();
        }
    }
}

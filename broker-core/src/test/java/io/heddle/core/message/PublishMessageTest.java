package io.heddle.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PublishMessageTest {
    private final AtomicLong nanos = new AtomicLong(5);
    private final SteadyClock clock = new SteadyClock(() -> Instant.ofEpochSecond(1_000), nanos::get);

    private PublishMessage message(long expirySeconds) {
        return PublishMessage.receivedAt(
                clock,
                new ClientId("p"),
                TopicName.parse("t", 8),
                QoS.AT_LEAST_ONCE,
                false,
                PublishProperties.NONE.withMessageExpirySeconds(expirySeconds),
                BinaryData.wrap(new byte[0]));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void messageWithoutAnExpiryIntervalNeverExpires() {
        PublishMessage message = message(PublishProperties.NO_EXPIRY);
        pass(Duration.ofDays(10_000));

        assertThat(message.canExpire()).isFalse();
        assertThat(message.isExpiredAt(clock.millis())).isFalse();
        assertThat(message.propertiesAt(clock.millis()).messageExpirySeconds()).isEqualTo(PublishProperties.NO_EXPIRY);
    }

    @Test
    void expiryIntervalIsTheRemainingTimeRoundedUpToSeconds() {
        PublishMessage message = message(10);

        assertThat(message.propertiesAt(clock.millis())).isSameAs(message.properties());
        pass(Duration.ofMillis(900));
        assertThat(message.propertiesAt(clock.millis()).messageExpirySeconds()).isEqualTo(10);
        pass(Duration.ofMillis(200));
        assertThat(message.propertiesAt(clock.millis()).messageExpirySeconds()).isEqualTo(9);
        pass(Duration.ofMillis(8_899));
        assertThat(message.isExpiredAt(clock.millis())).isFalse();
        assertThat(message.propertiesAt(clock.millis()).messageExpirySeconds()).isEqualTo(1);
        pass(Duration.ofMillis(1));
        assertThat(message.isExpiredAt(clock.millis())).isTrue();
        pass(Duration.ofSeconds(100));
        assertThat(message.propertiesAt(clock.millis()).messageExpirySeconds()).isZero();
    }

    @Test
    void messageWithAnIntervalOfZeroHasExpiredOnArrival() {
        assertThat(message(0).isExpiredAt(clock.millis())).isTrue();
    }

    @Test
    void longestIntervalDoesNotOverflow() {
        PublishMessage message = message(4_294_967_295L);
        pass(Duration.ofDays(365));

        assertThat(message.isExpiredAt(clock.millis())).isFalse();
    }
}

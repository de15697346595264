package io.heddle.persistence.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class KafkaFaultsTest {
    private final KafkaSettings settings = KafkaSettings.of("kafka:9092");
    private final KafkaFaults faults = new KafkaFaults(settings);
    private final KafkaTopics.Topic topic = new KafkaTopics(settings).all().getFirst();

    @Test
    void aRefusedAccountIsToldFromSilence() {
        assertThat(faults.connecting(new SaslAuthenticationException("Authentication failed")))
                .hasMessageContaining("refuses Heddle's account (Authentication failed)")
                .hasMessageContaining("heddle.kafka.properties.sasl.jaas.config");
        assertThat(faults.connecting(new SslAuthenticationException("handshake failed")))
                .hasMessageContaining("do not agree on TLS")
                .hasMessageContaining("heddle.kafka.properties.ssl");
        for (Throwable silence :
                List.of(new TimeoutException(), new org.apache.kafka.common.errors.TimeoutException("nobody"))) {
            assertThat(faults.connecting(silence))
                    .hasMessageContaining("does not answer at kafka:9092 within 15s")
                    .hasMessageContaining("heddle.kafka.bootstrap-servers");
        }
        assertThat(faults.connecting(new IllegalStateException("odd")))
                .hasMessageContaining("can't be used (odd)")
                .hasMessageContaining("heddle.kafka.properties");
    }

    @Test
    void aTopicThatCanNotBeMadeSaysWhy() {
        assertThat(faults.creating(topic, 2, new InvalidReplicationFactorException("3 > 2")))
                .hasMessageContaining("has 2 brokers")
                .hasMessageContaining("set it to 2 or less");
        assertThat(faults.creating(topic, 1, new TopicAuthorizationException("denied")))
                .hasMessageContaining("does not let Heddle's account create or read topic heddle.buckets");
        assertThat(faults.creating(topic, 1, new PolicyViolationException("too many partitions")))
                .hasMessageContaining("does not allow topic heddle.buckets (too many partitions)");
        assertThat(faults.creating(topic, 1, new org.apache.kafka.common.errors.TimeoutException("no leader")))
                .hasMessageContaining("did not create topic heddle.buckets within 15s (no leader)")
                .hasMessageContaining("heddle.kafka.connect-timeout");
    }
}

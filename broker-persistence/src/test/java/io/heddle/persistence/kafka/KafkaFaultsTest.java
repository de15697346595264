package io.heddle.persistence.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
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

    private static KafkaSettings with(Map<String, String> properties) {
        return new KafkaSettings(
                "127.0.0.1:9092", Duration.ofSeconds(15), 1, 16, KafkaSettings.DEFAULT_BUCKET_LOG_BYTES, properties);
    }

    /** As Kafka's own client says it. */
    private static StartupException refused(Map<String, String> properties) {
        KafkaSettings settings = with(properties);
        KafkaException fault =
                catchThrowableOfType(KafkaException.class, () -> Admin.create(settings.adminProperties()));
        assertThat(fault).isNotNull();
        return new KafkaFaults(settings).badSettings(fault);
    }

    @Test
    void silenceBehindASecurityProtocolMayComeFromIt() {
        assertThat(new KafkaFaults(with(Map.of("security.protocol", "ssl"))).connecting(new TimeoutException()))
                .hasMessageContaining("does not answer at 127.0.0.1:9092 within 15s: start it")
                .hasMessageContaining("correct heddle.kafka.properties.security.protocol (SSL), which may not fit");
        assertThat(faults.connecting(new TimeoutException())).hasMessageNotContaining("security.protocol");
    }

    @Test
    void saslWithoutAnAccountAsksForOne() {
        assertThat(refused(Map.of("security.protocol", "SASL_PLAINTEXT")))
                .hasMessageContaining("JAAS")
                .hasMessageContaining("set heddle.kafka.properties.sasl.jaas.config")
                .hasMessageNotContainingAny("host:port", "Failed to create");
    }

    @Test
    void aTrustStoreThatIsNotThereIsNamed() {
        assertThat(refused(Map.of("security.protocol", "SSL", "ssl.truststore.location", "/no/such/trust.p12")))
                .hasMessageContaining("there is no file /no/such/trust.p12")
                .hasMessageContaining("correct heddle.kafka.properties.security.protocol, "
                        + "heddle.kafka.properties.ssl.truststore.location")
                .hasMessageNotContaining("host:port");
    }

    @Test
    void anAddressThatIsNoneIsNotBlamedOnTheClientsSettings() {
        KafkaSettings settings = new KafkaSettings(
                "nonsense",
                Duration.ofSeconds(15),
                1,
                16,
                KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                Map.of("client.dns.lookup", "use_all_dns_ips"));
        KafkaException fault =
                catchThrowableOfType(KafkaException.class, () -> Admin.create(settings.adminProperties()));

        assertThat(new KafkaFaults(settings).badSettings(fault))
                .hasMessageContaining("heddle.kafka.bootstrap-servers=nonsense (")
                .hasMessageContaining("set it to host:port");
    }
}

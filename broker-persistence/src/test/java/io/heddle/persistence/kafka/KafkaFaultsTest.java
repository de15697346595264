package io.heddle.persistence.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.TestSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;

class KafkaFaultsTest {
    private final KafkaSettings settings = TestSettings.kafka("kafka:9092");
    private final KafkaFaults faults = new KafkaFaults(settings);
    private final KafkaTopics.Topic topic = new KafkaTopics(settings).all().getFirst();

    @Test
    void aRejectedAccountIsDistinguishedFromATimeout() {
        assertThat(faults.connecting(new SaslAuthenticationException("Authentication failed")))
                .hasMessageContaining("rejects Heddle's credentials (Authentication failed)")
                .hasMessageContaining("heddle.kafka.properties.sasl.jaas.config");
        assertThat(faults.connecting(new SslAuthenticationException("handshake failed")))
                .hasMessageContaining("TLS handshake with Kafka at kafka:9092 failed (handshake failed)")
                .hasMessageContaining("heddle.kafka.properties.ssl");
        for (Throwable silence :
                List.of(new TimeoutException(), new org.apache.kafka.common.errors.TimeoutException("nobody"))) {
            assertThat(faults.connecting(silence))
                    .hasMessageContaining("does not answer at kafka:9092 within 15s")
                    .hasMessageContaining("heddle.kafka.bootstrap-servers");
        }
        assertThat(faults.connecting(new IllegalStateException("odd")))
                .hasMessageContaining("is not usable (odd)")
                .hasMessageContaining("heddle.kafka.properties");
    }

    @Test
    void aTopicThatCannotBeCreatedNamesTheReason() {
        assertThat(faults.creating(topic, 2, new InvalidReplicationFactorException("3 > 2")))
                .hasMessageContaining("has 2 brokers")
                .hasMessageContaining("set it to 2 or less");
        assertThat(faults.creating(topic, 1, new TopicAuthorizationException("denied")))
                .hasMessageContaining("does not authorize Heddle's account to create or read topic heddle.buckets");
        assertThat(faults.creating(topic, 1, new PolicyViolationException("too many partitions")))
                .hasMessageContaining("has a policy that forbids topic heddle.buckets (too many partitions)");
        assertThat(faults.creating(topic, 1, new org.apache.kafka.common.errors.TimeoutException("no leader")))
                .hasMessageContaining("did not create topic heddle.buckets within 15s (no leader)")
                .hasMessageContaining("heddle.kafka.connect-timeout");
    }

    private static KafkaSettings with(Map<String, String> properties) {
        return new KafkaSettings(
                "127.0.0.1:9092", Duration.ofSeconds(15), 1, 16, KafkaSettings.DEFAULT_BUCKET_LOG_BYTES, properties);
    }

    /** Returns the message for a real fault of Kafka's client. */
    private static StartupException refused(Map<String, String> properties) {
        KafkaSettings settings = with(properties);
        KafkaException fault =
                catchThrowableOfType(KafkaException.class, () -> Admin.create(settings.adminProperties()));
        assertThat(fault).isNotNull();
        return new KafkaFaults(settings).badSettings(fault);
    }

    @Test
    void aTimeoutNamesTheSecurityProtocolAsAPossibleCause() {
        assertThat(new KafkaFaults(with(Map.of("security.protocol", "ssl"))).connecting(new TimeoutException()))
                .hasMessageContaining("does not answer at 127.0.0.1:9092 within 15s: start it")
                .hasMessageContaining("correct heddle.kafka.properties.security.protocol (SSL), which may not fit");
        assertThat(faults.connecting(new TimeoutException())).hasMessageNotContaining("security.protocol");
    }

    @Test
    void saslWithoutCredentialsAsksForThem() {
        assertThat(refused(Map.of("security.protocol", "SASL_PLAINTEXT")))
                .hasMessageContaining("JAAS")
                .hasMessageContaining("set heddle.kafka.properties.sasl.jaas.config")
                .hasMessageNotContainingAny("host:port", "Failed to create");
    }

    @Test
    void aDamagedTrustStoreIsNamed(@TempDir Path folder) throws IOException {
        Path damaged = Files.writeString(folder.resolve("trust.p12"), "nonsense");

        assertThat(refused(Map.of("security.protocol", "SSL", "ssl.truststore.location", damaged.toString())))
                .hasMessageContaining("Invalid keystore format")
                .hasMessageContaining("correct heddle.kafka.properties.security.protocol, "
                        + "heddle.kafka.properties.ssl.truststore.location")
                .hasMessageNotContaining("host:port");
    }

    @Test
    void aMalformedAddressIsNotBlamedOnTheClientsSettings() {
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

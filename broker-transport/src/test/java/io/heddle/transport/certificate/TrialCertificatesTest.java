package io.heddle.transport.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.transport.certificate.TrialCertificates.Issued;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Certificates for trials. */
class TrialCertificatesTest {
    private static final Instant NOW = Instant.parse("2026-11-01T12:00:00Z");
    private static final int SIGNS_CERTIFICATES = 5;

    private final TrialCertificates trial = new TrialCertificates(new SecureRandom(), NOW, Duration.ofDays(30));

    @Test
    void theAuthorityHasIssuedTheCertificateOfTheServer() throws Exception {
        Issued authority = trial.authority("Authority");
        X509Certificate server = trial.server(authority, List.of("mqtt.example.org", "192.0.2.1", "2001:db8::1"))
                .certificate();

        server.verify(authority.certificate().getPublicKey());
        assertThat(server.getIssuerX500Principal())
                .isEqualTo(authority.certificate().getSubjectX500Principal());
        assertThat(server.getSubjectX500Principal().getName()).isEqualTo("CN=mqtt.example.org");
        assertThat(server.getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(
                        List.of(2, "mqtt.example.org"), List.of(7, "192.0.2.1"), List.of(7, "2001:db8:0:0:0:0:0:1"));
        assertThat(server.getNotAfter()).isEqualTo(NOW.plus(Duration.ofDays(30)));
        assertThat(server.getBasicConstraints()).isNegative();
        assertThat(authority.certificate().getBasicConstraints()).isNotNegative();
        assertThat(authority.certificate().getKeyUsage()[SIGNS_CERTIFICATES]).isTrue();
    }

    @Test
    void hostsAreNamesAndAddresses() {
        for (String host : List.of("localhost", "a.example.org", "*.example.org", "192.0.2.1", "::1", "host_1")) {
            assertThat(TrialCertificates.isHost(host)).as(host).isTrue();
        }
        for (String host : List.of("", "a b", "a..b", "https://a", "a\nb", "*.*.org", "a".repeat(254))) {
            assertThat(TrialCertificates.isHost(host)).as(host).isFalse();
        }
    }
}

package io.heddle.app.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.transport.certificate.Certificates;
import io.heddle.transport.certificate.TrialCertificates;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.TlsSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStoreException;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;

final class HttpCertificateTest {
    private static Certificate certificate(SslBundle bundle) throws KeyStoreException {
        return Objects.requireNonNull(bundle.getStores().getKeyStore()).getCertificate("http");
    }

    @Test
    void theServerGetsACertificateAndEachReplacement(@TempDir Path directory) throws Exception {
        TrialCertificates trial = new TrialCertificates(new SecureRandom(), Instant.now(), Duration.ofDays(60));
        Issued authority = trial.authority("Trial authority");
        Issued first = trial.server(authority, List.of("a.example.org"));
        Issued second = trial.server(authority, List.of("b.example.org"));
        Path file = Files.writeString(directory.resolve("both.pem"), first.certificatePem() + first.keyPem());
        TlsSettings settings = TlsSettings.of("http", new KeyFiles("heddle.http.tls", file, null, ""));
        HttpCertificate http = new HttpCertificate(List.of(settings));
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

        http.registerBundles(bundles);

        SslBundle bundle = bundles.getBundle("http");
        assertThat(certificate(bundle)).isEqualTo(first.certificate());
        assertThat(bundle.getOptions().getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.2", "TLSv1.3");
        assertThat(bundle.getOptions().getCiphers()).containsExactlyInAnyOrderElementsOf(TlsSettings.DEFAULT_CIPHERS);
        List<SslBundle> replaced = new ArrayList<>();
        bundles.addBundleUpdateHandler("http", replaced::add);
        Files.writeString(file, second.certificatePem() + second.keyPem());
        http.replace(Certificates.read(settings));
        assertThat(certificate(replaced.getFirst())).isEqualTo(second.certificate());
        assertThat(certificate(bundles.getBundle("http"))).isEqualTo(second.certificate());
    }

    @Test
    void aFileThatCannotBeUsedEndsTheStart(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("a.pem"), "no certificate");
        HttpCertificate http =
                new HttpCertificate(List.of(TlsSettings.of("http", new KeyFiles("heddle.http.tls", file, null, ""))));

        assertThatThrownBy(() -> http.registerBundles(new DefaultSslBundleRegistry()))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("heddle.http.tls.certificate is " + file);
    }

    @Test
    void withoutTlsThereIsNoBundle() {
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

        new HttpCertificate(List.of()).registerBundles(bundles);

        assertThat(bundles.getBundleNames()).isEmpty();
    }
}

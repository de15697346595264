package io.heddle.app.tls.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.transport.certificate.Certificates;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.TlsHandshakes;
import io.heddle.transport.tls.TlsSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SelfSignedTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path parent;

    private int selfSigned(Path directory, String... further) {
        return TlsCommand.run(
                Stream.concat(Stream.of("self-signed", "--directory", directory.toString()), Stream.of(further))
                        .toList());
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aListenerCanUseTheCertificate() {
        Path directory = parent.resolve("new");

        assertThat(selfSigned(directory, "--host", "mqtt.example.org", "--host", "192.0.2.1"))
                .isZero();

        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        TlsSettings settings = TlsSettings.of(
                "mqtts", new KeyFiles("tls", directory.resolve("server.pem"), directory.resolve("server-key.pem"), ""));
        try (TlsHandshakes handshakes = new TlsHandshakes(1, Duration.ofSeconds(1), 1, System::nanoTime, metrics);
                Certificates certificates = new Certificates(
                        List.of(settings), handshakes, null, Duration.ZERO, Clock.systemUTC(), metrics)) {
            assertThat(certificates.status()).hasSize(1);
            assertThat(certificates.status().getFirst().names()).containsExactly("mqtt.example.org", "192.0.2.1");
        }
    }

    @Test
    void onlyTheOwnerCanReadTheKeys() throws IOException {
        Path directory = parent.resolve("new");

        assertThat(selfSigned(directory)).isZero();

        assertThat(permissions(directory)).isEqualTo("rwx------");
        assertThat(permissions(directory.resolve("server-key.pem"))).isEqualTo("rw-------");
        assertThat(permissions(directory.resolve("ca-key.pem"))).isEqualTo("rw-------");
        assertThat(Files.readString(directory.resolve("ca.pem"))).startsWith("-----BEGIN CERTIFICATE-----");
    }

    @Test
    void existingFilesAreNotOverwritten() throws IOException {
        Files.writeString(parent.resolve("server-key.pem"), "mine");

        assertThat(selfSigned(parent)).isEqualTo(1);

        assertThat(Files.readString(parent.resolve("server-key.pem"))).isEqualTo("mine");
        try (Stream<Path> files = Files.list(parent)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void wrongArgumentsCreateNothing() {
        Path directory = parent.resolve("new");

        assertThat(selfSigned(directory, "--host", "https://a")).isEqualTo(1);
        assertThat(selfSigned(directory, "--days", "0")).isEqualTo(1);
        assertThat(selfSigned(directory, "--no-such-option")).isEqualTo(2);
        assertThat(TlsCommand.run(List.of())).isEqualTo(2);
        assertThat(directory).doesNotExist();
    }
}

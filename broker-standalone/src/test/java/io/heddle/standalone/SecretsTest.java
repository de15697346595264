package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {
    @TempDir
    Path directory;

    @Test
    void drawnOnceThenKeptForTheOwnerAlone() throws IOException {
        Path file = directory.resolve("secrets");
        Secrets secrets = Secrets.loadOrDraw(file, new SecureRandom());

        assertThat(Secrets.loadOrDraw(file, new SecureRandom())).isEqualTo(secrets);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(secrets.redisPassword()).matches("[0-9a-f]{48}").isNotEqualTo(secrets.postgresPassword());
        assertThat(secrets.kafkaClusterId()).matches("[0-9A-Za-z_][0-9A-Za-z_-]{21}");
    }

    @Test
    void textShowsNoPassword() throws IOException {
        Secrets secrets = Secrets.loadOrDraw(directory.resolve("secrets"), new SecureRandom());

        assertThat(secrets.toString()).doesNotContain(secrets.redisPassword(), secrets.postgresPassword());
    }
}

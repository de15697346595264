package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        assertThat(secrets.kafkaPassword()).matches("[0-9a-f]{48}").isNotEqualTo(secrets.redisPassword());
        assertThat(secrets.kafkaClusterId()).matches("[0-9A-Za-z_][0-9A-Za-z_-]{21}");
    }

    @Test
    void textShowsNoPassword() throws IOException {
        Secrets secrets = Secrets.loadOrDraw(directory.resolve("secrets"), new SecureRandom());

        assertThat(secrets.toString())
                .doesNotContain(secrets.kafkaPassword(), secrets.redisPassword(), secrets.postgresPassword());
    }

    @Test
    void whatIsMissingIsDrawnAndTheRestKept() throws IOException {
        Path file = Files.writeString(
                directory.resolve("secrets"), "redis.password=\nkafka.cluster-id=id\npostgresql.password=p\n");
        assertThat(Secrets.missing(file)).isNull();

        Secrets secrets = Secrets.loadOrDraw(file, new SecureRandom());

        // A directory that was made before Kafka had one.
        assertThat(secrets.kafkaPassword()).hasSize(48);
        assertThat(secrets.redisPassword()).hasSize(48);
        assertThat(secrets.kafkaClusterId()).isEqualTo("id");
        assertThat(secrets.postgresPassword()).isEqualTo("p");
    }

    @Test
    void damagedFileIsNamedWithTheWayOut() throws IOException {
        Path file = Files.writeString(directory.resolve("secrets"), "redis.password=\\uzz");

        assertThatThrownBy(() -> Secrets.loadOrDraw(file, new SecureRandom()))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(file.toString(), "damaged", "delete it");
    }
}

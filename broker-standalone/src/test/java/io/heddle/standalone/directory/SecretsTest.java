package io.heddle.standalone.directory;

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
    void secretsAreGeneratedOnceAndReadableByTheOwnerOnly() throws IOException {
        Path file = directory.resolve("secrets");
        Secrets secrets = Secrets.loadOrGenerate(file, new SecureRandom());

        assertThat(Secrets.loadOrGenerate(file, new SecureRandom())).isEqualTo(secrets);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(secrets.redisPassword()).matches("[0-9a-f]{48}").isNotEqualTo(secrets.postgresPassword());
        assertThat(secrets.kafkaPassword()).matches("[0-9a-f]{48}").isNotEqualTo(secrets.redisPassword());
        assertThat(secrets.kafkaClusterId()).matches("[0-9A-Za-z_][0-9A-Za-z_-]{21}");
    }

    @Test
    void toStringHidesPasswords() throws IOException {
        Secrets secrets = Secrets.loadOrGenerate(directory.resolve("secrets"), new SecureRandom());

        assertThat(secrets.toString())
                .doesNotContain(secrets.kafkaPassword(), secrets.redisPassword(), secrets.postgresPassword());
    }

    @Test
    void missingSecretsAreGeneratedAndTheOthersKept() throws IOException {
        Path file = Files.writeString(
                directory.resolve("secrets"), "redis.password=\nkafka.cluster-id=id\npostgresql.password=p\n");
        assertThat(Secrets.defect(file)).isNull();

        Secrets secrets = Secrets.loadOrGenerate(file, new SecureRandom());

        // A directory of a version in which Kafka had no password.
        assertThat(secrets.kafkaPassword()).hasSize(48);
        assertThat(secrets.redisPassword()).hasSize(48);
        assertThat(secrets.kafkaClusterId()).isEqualTo("id");
        assertThat(secrets.postgresPassword()).isEqualTo("p");
    }

    @Test
    void damagedFileIsNamedWithTheRemedy() throws IOException {
        Path file = Files.writeString(directory.resolve("secrets"), "redis.password=\\uzz");

        assertThatThrownBy(() -> Secrets.loadOrGenerate(file, new SecureRandom()))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(file.toString(), "damaged", "delete it");
    }
}

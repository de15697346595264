package io.heddle.persistence.postgres;

import static io.heddle.persistence.Startup.sentenceOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.persistence.TestSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresSettingsTest {
    private static final String URL = "jdbc:postgresql://db:5432/heddle";

    @Test
    void thePasswordIsNotPrinted() {
        PostgresSettings settings = TestSettings.postgres(URL + "?sslpassword=hidden", "heddle", "secret");

        assertThat(settings.toString()).contains(URL).doesNotContain("secret", "hidden");
        assertThat(settings.address()).isEqualTo(URL);
    }

    @Test
    void aWrongSettingIsNamed() {
        sentenceOf(() -> TestSettings.postgres("", "heddle", "")).contains("heddle.postgres.url");
        sentenceOf(() -> TestSettings.postgres("mysql://db", "heddle", ""))
                .contains("heddle.postgres.url", "jdbc:postgresql:");
        sentenceOf(() -> TestSettings.postgres("jdbc:postgresql://db:port/x", "heddle", "")
                        .dataSource())
                .contains("heddle.postgres.url");
        sentenceOf(() -> TestSettings.postgres(URL, " ", "")).contains("heddle.postgres.user");
        sentenceOf(() -> new PostgresSettings(URL, "u", "", 0, Duration.ofSeconds(5), Duration.ofSeconds(5)))
                .contains("heddle.postgres.pool-size", "0");
        sentenceOf(() -> new PostgresSettings(URL, "u", "", 8, Duration.ZERO, Duration.ofSeconds(5)))
                .contains("heddle.postgres.connect-timeout", "0s");
        sentenceOf(() -> new PostgresSettings(URL, "u", "", 8, Duration.ofSeconds(5), Duration.ofMillis(10)))
                .contains("heddle.postgres.query-timeout", "10ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sslrootcert", "sslcert", "sslkey"})
    void aFileThatIsNotThereIsNamed(String option) {
        sentenceOf(() -> TestSettings.postgres(URL + "?sslmode=verify-full&" + option + "=/no/such/file", "heddle", ""))
                .contains("heddle.postgres.url: " + option + " is /no/such/file, which is no file");
    }

    @Test
    void aPasswordInTheUrlIsRejectedWithoutRepeatingIt() {
        sentenceOf(() -> TestSettings.postgres(URL + "?user=x&password=hidden", "heddle", ""))
                .contains("heddle.postgres.password")
                .doesNotContain("hidden");
    }
}

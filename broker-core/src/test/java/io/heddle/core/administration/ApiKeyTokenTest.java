package io.heddle.core.administration;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ApiKeyTokenTest {
    private static final Instant NOW = Instant.parse("2026-11-01T10:00:00Z");
    private static final String SECRET = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

    private final SecureRandom random = new SecureRandom();

    private static ApiKey key(ApiKeyToken token) {
        return new ApiKey(token.name(), token.secretHash(), AdminRole.VIEWER, NOW, "ada", NOW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ci", "a.b-c_d", "0", "heddle_ci.x"})
    void aTokenIsReadFromItsTextAndProvesItsKey(String name) {
        ApiKeyToken token = ApiKeyToken.draw(name, random);

        assertThat(token.text()).matches("heddle_[A-Za-z0-9._-]{1,64}\\.[A-Za-z0-9_-]{43}");
        ApiKeyToken read = requireNonNull(ApiKeyToken.parse(token.text()));
        assertThat(read).isEqualTo(token);
        assertThat(read.proves(key(token))).isTrue();
    }

    @Test
    void anotherSecretOrNameProvesNothing() {
        ApiKeyToken token = ApiKeyToken.draw("ci", random);

        assertThat(ApiKeyToken.draw("ci", random)).isNotEqualTo(token);
        assertThat(ApiKeyToken.draw("ci", random).proves(key(token))).isFalse();
        assertThat(new ApiKeyToken("cd", token.secret()).proves(key(token))).isFalse();
    }

    @Test
    void theHashIsThatOfTheSecret() {
        // printf AAA… | sha256sum
        assertThat(new ApiKeyToken("ci", SECRET).secretHash())
                .isEqualTo("0f007385b6f9d4b7eeb2748605afe1a984a0a3bfa3f014d09e2a784ce9e5cd1a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "heddle_",
                "heddle_ci",
                "heddle_ci." + SECRET + "A",
                "heddle_ci.AAAA",
                "heddle_." + SECRET,
                "heddle_.ci." + SECRET,
                "heddle_c/i." + SECRET,
                "heddle_ci\0." + SECRET,
                "Heddle_ci." + SECRET,
                "heddle_ci." + SECRET + "\n",
                "heddle_ci_" + SECRET
            })
    void otherTextsAreNoTokens(String text) {
        assertThat(ApiKeyToken.parse(text)).isNull();
    }

    @Test
    void aNameHasABound() {
        assertThat(ApiKey.isName("a".repeat(64))).isTrue();
        assertThat(ApiKey.isName("a".repeat(65))).isFalse();
        assertThat(ApiKeyToken.parse("heddle_" + "a".repeat(65) + "." + SECRET)).isNull();
    }

    @Test
    void aKeyExpiresAtItsEnd() {
        ApiKey key = key(ApiKeyToken.draw("ci", random));

        assertThat(key.isExpired(NOW.minusMillis(1))).isFalse();
        assertThat(key.isExpired(NOW)).isTrue();
        assertThat(new ApiKey("ci", "", AdminRole.VIEWER, null, "ada", NOW).isExpired(Instant.MAX))
                .isFalse();
    }

    @Test
    void logsHaveNeitherSecretNorHash() {
        ApiKeyToken token = ApiKeyToken.draw("ci", random);

        assertThat(token.toString()).doesNotContain(token.secret());
        assertThat(key(token).toString()).doesNotContain(token.secretHash());
    }
}

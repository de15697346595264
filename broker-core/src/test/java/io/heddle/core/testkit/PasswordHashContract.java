package io.heddle.core.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@link PasswordHash}. */
public abstract class PasswordHashContract {
    /** A source for tests in which it does not matter. */
    protected static final SignInSource SOURCE = SignInSource.of("192.0.2.1", "somebody");

    /** The hash under test. */
    protected abstract PasswordHash passwordHash();

    @Test
    void aPasswordMatchesItsHash() {
        String hash = passwordHash().hash(password("correct horse"));

        assertThat(passwordHash().matches(password("correct horse"), hash, SOURCE))
                .isTrue();
    }

    @Test
    void anotherPasswordDoesNotMatch() {
        String hash = passwordHash().hash(password("correct horse"));

        assertThat(passwordHash().matches(password("correct horsf"), hash, SOURCE))
                .isFalse();
        assertThat(passwordHash().matches(password("correct hors"), hash, SOURCE))
                .isFalse();
        assertThat(passwordHash().matches(BinaryData.EMPTY, hash, SOURCE)).isFalse();
    }

    @Test
    void hashesAreSalted() {
        String first = passwordHash().hash(password("same"));
        String second = passwordHash().hash(password("same"));

        assertThat(first).isNotEqualTo(second);
        assertThat(passwordHash().matches(password("same"), first, SOURCE)).isTrue();
        assertThat(passwordHash().matches(password("same"), second, SOURCE)).isTrue();
    }

    @Test
    void aPasswordMayBeAnyBytes() {
        BinaryData bytes = BinaryData.wrap(new byte[] {0, -1, 10, '$', -128});
        BinaryData longer = BinaryData.wrap(new byte[] {0, -1, 10, '$', -128, 0});
        String hash = passwordHash().hash(bytes);

        assertThat(passwordHash().matches(bytes, hash, SOURCE)).isTrue();
        assertThat(passwordHash().matches(longer, hash, SOURCE)).isFalse();
    }

    @Test
    void anEmptyPasswordIsAccepted() {
        String hash = passwordHash().hash(BinaryData.EMPTY);

        assertThat(passwordHash().matches(BinaryData.EMPTY, hash, SOURCE)).isTrue();
        assertThat(passwordHash().matches(password("x"), hash, SOURCE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "$", "$$$$$", "correct horse", "$unknown$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA"})
    void foreignHashNeverMatches(String notAHash) {
        assertThat(passwordHash().matches(password("correct horse"), notAHash, SOURCE))
                .isFalse();
    }

    @Test
    void aHashInTheFormOfAnotherMatchesItsPassword() {
        String first = passwordHash().hash(password("first"), "SCRAM-SHA-256");
        String second = passwordHash().hash(password("second"), first);

        assertThat(second).startsWith("SCRAM-SHA-256$");
        assertThat(passwordHash().matches(password("second"), second, SOURCE)).isTrue();
        assertThat(passwordHash().matches(password("first"), second, SOURCE)).isFalse();
        assertThat(passwordHash().hash(password("third"), passwordHash().hash(password("fourth"))))
                .doesNotContain("SCRAM");
        assertThat(passwordHash().hash(password("third"), "")).doesNotContain("SCRAM");
    }

    private static BinaryData password(String text) {
        return BinaryData.wrap(text.getBytes(UTF_8));
    }
}

package io.heddle.persistence.scram;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.BinaryData;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ScramVerifierTest {
    /** Of the password of RFC 7677, computed with Python hashlib. */
    private static final String KEYS_256 =
            "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=";

    private static BinaryData data(String text) {
        return BinaryData.wrap(text.getBytes(UTF_8));
    }

    @ParameterizedTest
    @EnumSource(ScramAlgorithm.class)
    void aNewVerifierMatchesItsPasswordOnly(ScramAlgorithm algorithm) {
        ScramVerifier created = ScramVerifier.create(algorithm, data("correct horse"), new SecureRandom());
        ScramVerifier read = Objects.requireNonNull(ScramVerifier.parse(created.text()));

        assertThat(read).isEqualTo(created);
        assertThat(created.text()).startsWith(algorithm.mechanism() + "$15000:");
        assertThat(read.matches(data("correct horse"))).isTrue();
        assertThat(read.matches(data("correct horse "))).isFalse();
        assertThat(read.matches(BinaryData.EMPTY)).isFalse();
        assertThat(ScramVerifier.create(algorithm, data("correct horse"), new SecureRandom()))
                .isNotEqualTo(created);
        assertThat(created).hasToString("ScramVerifier[" + algorithm.mechanism() + ", iterations=15000]");
    }

    @Test
    void theVerifierOfTheRfcsPassword() {
        BinaryData salt = BinaryData.wrap(Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ=="));

        assertThat(ScramVerifier.of(ScramAlgorithm.SHA_256, data("pencil"), salt, 4_096)
                        .text())
                .isEqualTo("SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$" + KEYS_256);
    }

    @Test
    void anEmptyPasswordAndOneThatIsNotTextHaveVerifiers() {
        BinaryData binary = BinaryData.wrap(new byte[] {(byte) 0xC3, 0, 1});

        assertThat(ScramVerifier.create(ScramAlgorithm.SHA_256, BinaryData.EMPTY, new SecureRandom())
                        .matches(BinaryData.EMPTY))
                .isTrue();
        assertThat(ScramVerifier.create(ScramAlgorithm.SHA_256, binary, new SecureRandom())
                        .matches(binary))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"I\u00ADX, IX", "\u2168, IX", "a\u00A0b, a b"})
    void passwordsArePrepared(String password, String same) {
        assertThat(ScramVerifier.create(ScramAlgorithm.SHA_256, data(password), new SecureRandom())
                        .matches(data(same)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SCRAM-SHA-1$4096:W22ZaJ0SNY7soEsUEjb6gQ==$" + KEYS_256,
                "SCRAM-SHA-512$4096:W22ZaJ0SNY7soEsUEjb6gQ==$" + KEYS_256,
                "SCRAM-SHA-256$4095:W22ZaJ0SNY7soEsUEjb6gQ==$" + KEYS_256,
                "SCRAM-SHA-256$1000001:W22ZaJ0SNY7soEsUEjb6gQ==$" + KEYS_256,
                "SCRAM-SHA-256$99999999999:W22ZaJ0SNY7soEsUEjb6gQ==$" + KEYS_256,
                "SCRAM-SHA-256$-4096:W22ZaJ0SNY7soEsUEjb6gQ==$" + KEYS_256,
                "SCRAM-SHA-256$4096:W22ZaJ0=$" + KEYS_256,
                "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ=$" + KEYS_256,
                "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d:wfPL",
                "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$" + KEYS_256 + " ",
                "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA"
            })
    void otherTextsAreNoVerifiers(String text) {
        assertThat(ScramVerifier.parse(text)).isNull();
    }

    @Test
    void theLimitsOfIterations() {
        assertThat(ScramVerifier.parse("SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$" + KEYS_256))
                .isNotNull();
        assertThat(ScramVerifier.parse("SCRAM-SHA-256$1000000:W22ZaJ0SNY7soEsUEjb6gQ==$" + KEYS_256))
                .isNotNull();
    }
}

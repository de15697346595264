package io.heddle.persistence.password;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.testkit.PasswordHashContract;
import io.heddle.persistence.Startup;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Argon2PasswordHashTest extends PasswordHashContract {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Argon2PasswordHash hash = new Argon2PasswordHash(2, new SecureRandom(), registry);

    @Override
    protected PasswordHash passwordHash() {
        return hash;
    }

    @Test
    void theHashContainsItsAlgorithmAndParameters() {
        assertThat(hash.hash(password("secret")))
                .matches("\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}");
    }

    // Test vectors of Argon2's reference implementation.
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "password $argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "password $argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "password $argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc"
            })
    void hashesOfOtherToolsMatch(String password, String stored) {
        assertThat(hash.matches(password(password), stored, SOURCE)).isTrue();
        assertThat(hash.matches(password(password + "x"), stored, SOURCE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$argon2id$v=19$m=65537,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=2147483648,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=256,t=11,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=19$m=256,t=2,p=5$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=19$m=256,t=0,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=19$m=31,t=2,p=4$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=16$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$",
                "$argon2id$v=19$m=256,t=2,p=1$$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4=",
                "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4\n",
                "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ1x$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
            })
    void anUnsupportedHashIsNotComputed(String planted) {
        assertThat(hash.matches(password("password"), planted, SOURCE)).isFalse();
        assertThat(registry.get("heddle.password.hash").timer().count()).isZero();
    }

    @Test
    void moreCallersThanPermitsAllGetTheirAnswer() throws Exception {
        Argon2PasswordHash narrow = new Argon2PasswordHash(1, new SecureRandom(), new SimpleMeterRegistry());
        String stored = narrow.hash(password("secret"));

        List<Future<Boolean>> answers = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < 8; caller++) {
                BinaryData shown = password(caller % 2 == 0 ? "secret" : "wrong");
                answers.add(executor.submit(() -> narrow.matches(shown, stored, SOURCE)));
            }
        }

        for (int caller = 0; caller < answers.size(); caller++) {
            assertThat(answers.get(caller).get()).isEqualTo(caller % 2 == 0);
        }
    }

    @Test
    void aConcurrencyOfZeroIsRejected() {
        Startup.sentenceOf(() -> new Argon2PasswordHash(0, new SecureRandom(), registry))
                .contains("heddle.authentication.concurrent-password-checks", "0");
    }

    private static BinaryData password(String text) {
        return BinaryData.wrap(text.getBytes(UTF_8));
    }
}

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
import java.util.Objects;
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
    void anUnsupportedHashCostsAComputationWithTheUsualParameters(String planted) {
        assertThat(hash.matches(password("password"), planted, SOURCE)).isFalse();
        assertThat(registry.get("heddle.password.hash").timer().count()).isOne();
    }

    // Made by mosquitto_passwd, crypt(3) and Python's hashlib.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$7$101$DhwhDBUyhHX9Ucx0$bipAmke3Wb7p9pARvKLAC2clhBNSDEWRxw/ft3eLehw50KEPpwkCPD9+ZrVZ4pJb5soww4MgV8twIVMwxxeNWw==",
                "$2a$05$abcdefghijklmnopqrstuuD6ftFuNdGQp5Ta0Zv1bz0bS1MrCSbrm",
                "$2b$05$abcdefghijklmnopqrstuuD6ftFuNdGQp5Ta0Zv1bz0bS1MrCSbrm",
                "$2y$05$abcdefghijklmnopqrstuuD6ftFuNdGQp5Ta0Zv1bz0bS1MrCSbrm",
                "$6$c2FsdHNhbHRzYWx0$ytHMr+fLEV9EXNK6F+BrZrcDmciZwy1yWlF2x7CX+RcWjLEOOn/AK6qgk8FD6E7X6agHftS7tmjayFka0AcV6A==",
                "$sha256$suffix$bd6f6a7c$70716345146e8b8b16e60ccba9c959ec5c9a73e2cdafb67ff463e539bd6a99c3",
                "$sha256$prefix$bd6f6a7c$9b0d6eb6562b663624cb60695350f04f0e431268688cd47e697373a68d3c823d",
                "$sha512$suffix$bd6f6a7c$2deaa194abdfc35164ded328fa908056085aeeb229c91b537e863e9e56fb994c2a68537f70000eccd81eeabc7201e54d7a136440c6158a7efa4880abe180252d"
            })
    void aHashOfOtherSoftwareMatchesAndIsRenewed(String stored) {
        assertThat(Argon2PasswordHash.isHash(stored)).isTrue();
        assertThat(hash.matches(password("pä ss"), stored, SOURCE)).isTrue();

        String renewed = hash.renew(password("pä ss"), stored);

        assertThat(renewed).startsWith("$argon2id$");
        assertThat(hash.matches(password("pä ss"), Objects.requireNonNull(renewed), SOURCE))
                .isTrue();
        assertThat(hash.renew(password("pä ss"), renewed)).isNull();
        assertThat(registry.counter("heddle.password.renewed").count()).isOne();
    }

    @Test
    void aWrongPasswordCostsAnArgon2ComputationWhateverTheHash() {
        String stored = "$sha256$suffix$bd6f6a7c$70716345146e8b8b16e60ccba9c959ec5c9a73e2cdafb67ff463e539bd6a99c3";

        assertThat(hash.matches(password("pa ss"), stored, SOURCE)).isFalse();
        assertThat(hash.matches(password("any"), "$certificate$any", SOURCE)).isFalse();

        assertThat(registry.get("heddle.password.hash").timer().count()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$2b$15$abcdefghijklmnopqrstuuD6ftFuNdGQp5Ta0Zv1bz0bS1MrCSbrm",
                "$2x$05$abcdefghijklmnopqrstuuD6ftFuNdGQp5Ta0Zv1bz0bS1MrCSbrm",
                "$2b$05$abcdefghijklmnopqrstuuD6ftFuNdGQp5Ta0Zv1bz0bS1MrCSbr",
                "$7$500001$DhwhDBUyhHX9Ucx0$bipAmke3Wb7p9pARvKLAC2clhBNSDEWRxw/ft3eLehw50KEPpwkCPD9+ZrVZ4pJb5soww4MgV8twIVMwxxeNWw==",
                "$7$0$DhwhDBUyhHX9Ucx0$bipAmke3Wb7p9pARvKLAC2clhBNSDEWRxw/ft3eLehw50KEPpwkCPD9+ZrVZ4pJb5soww4MgV8twIVMwxxeNWw==",
                "$7$101$DhwhDBUyhHX9U$bipAmke3Wb7p9pARvKLAC2clhBNSDEWRxw/ft3eLehw50KEPpwkCPD9+ZrVZ4pJb5soww4MgV8twIVMwxxeNWw==",
                "$sha256$suffix$$70716345146e8b8b16e60ccba9c959ec5c9a73e2cdafb67ff463e539bd6a99c3",
                "$sha256$infix$bd6f6a7c$70716345146e8b8b16e60ccba9c959ec5c9a73e2cdafb67ff463e539bd6a99c3",
                "$sha512$suffix$bd6f6a7c$70716345146e8b8b16e60ccba9c959ec5c9a73e2cdafb67ff463e539bd6a99c3",
                "70716345146e8b8b16e60ccba9c959ec5c9a73e2cdafb67ff463e539bd6a99c3"
            })
    void otherHashesAreUnknown(String text) {
        assertThat(Argon2PasswordHash.isHash(text)).isFalse();
        assertThat(hash.matches(password("pä ss"), text, SOURCE)).isFalse();
        assertThat(hash.renew(password("pä ss"), text)).isNull();
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

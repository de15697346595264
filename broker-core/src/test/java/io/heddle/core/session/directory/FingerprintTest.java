package io.heddle.core.session.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FingerprintTest {
    @Test
    void isTheSameInEveryRun() {
        assertThat(new Fingerprint().add("pump-1").add(42).add((String) null).value())
                .isEqualTo(new Fingerprint()
                        .add("pump-1")
                        .add(42)
                        .add((String) null)
                        .value());
        assertThat(Long.toHexString(new Fingerprint().add("pump-1").add(42).value()))
                .as("it is stored: when it changes, all rows are written again at the next start")
                .isEqualTo("5fb7bf733852fc69");
    }

    @Test
    void distinguishesSimilarValues() {
        Set<Long> seen = new HashSet<>();
        seen.add(new Fingerprint().value());
        seen.add(new Fingerprint().add((String) null).value());
        seen.add(new Fingerprint().add("").value());
        seen.add(new Fingerprint().add("a").add("b").value());
        seen.add(new Fingerprint().add("b").add("a").value());
        seen.add(new Fingerprint().add("ab").add("").value());
        seen.add(new Fingerprint().add("").add("ab").value());
        seen.add(new Fingerprint().add("Aa").value());
        seen.add(new Fingerprint().add("BB").value());

        assertThat(seen).hasSize(9);
        for (long number = 1; number <= 100_000; number++) {
            seen.add(new Fingerprint().add(number).value());
            seen.add(new Fingerprint().add("client-" + number).value());
        }
        assertThat(seen).hasSize(200_009);
    }
}

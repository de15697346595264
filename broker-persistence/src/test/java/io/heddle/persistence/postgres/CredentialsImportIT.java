package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.csv.CredentialsImport;
import io.heddle.core.authentication.csv.HeddleCsv;
import io.heddle.core.authentication.csv.ImportSettings;
import io.heddle.core.authentication.csv.LineProblem;
import io.heddle.persistence.password.Argon2PasswordHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Imports into PostgreSQL, with and without hashes to compute; logs how long they take. */
class CredentialsImportIT {
    private static final Logger log = LoggerFactory.getLogger(CredentialsImportIT.class);

    private static final int HASHES = 100_000;
    private static final int PASSWORDS = 100;
    private static final String HASH =
            "\"$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGg\"";

    @Test
    void aHundredThousandHashesAreStoredInLessThanAMinuteAndPasswordsAreHashed() throws Exception {
        TestDatabase testDatabase = TestDatabase.create();
        try (PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
                ExecutorService hashing = Executors.newFixedThreadPool(2)) {
            PostgresCredentials store = new PostgresCredentials(() -> database);

            Duration ofHashes = importLines(store, hashing, "passwordHash", HASHES, HASH);
            assertThat(store.count()).isEqualTo(HASHES);
            assertThat(ofHashes).isLessThan(Duration.ofMinutes(1));

            Duration ofPasswords = importLines(store, hashing, "password", PASSWORDS, "correct horse");
            assertThat(store.count()).isEqualTo(HASHES + PASSWORDS);
            log.info(
                    "Imported credentials: hashes={}, tookMillis={}; passwords={}, tookMillis={}",
                    HASHES,
                    ofHashes.toMillis(),
                    PASSWORDS,
                    ofPasswords.toMillis());
        } finally {
            testDatabase.close();
        }
    }

    private static Duration importLines(
            PostgresCredentials store, ExecutorService hashing, String column, int count, String value)
            throws Exception {
        StringBuilder csv = new StringBuilder("clientId,userName,type," + column + "\n");
        for (int i = 0; i < count; i++) {
            csv.append(column)
                    .append('-')
                    .append(i)
                    .append(",user-")
                    .append(i)
                    .append(",device,")
                    .append(value)
                    .append('\n');
        }
        List<LineProblem> problems = new ArrayList<>();
        long start = System.nanoTime();
        new CredentialsImport(
                        store,
                        new Argon2PasswordHash(2, new SecureRandom(), new SimpleMeterRegistry()),
                        hashing,
                        new ImportSettings(false, Long.MAX_VALUE, Argon2PasswordHash::isHash),
                        problems::add)
                .run(new HeddleCsv(new ByteArrayInputStream(csv.toString().getBytes(StandardCharsets.UTF_8))));
        assertThat(problems).isEmpty();
        return Duration.ofNanos(System.nanoTime() - start);
    }
}

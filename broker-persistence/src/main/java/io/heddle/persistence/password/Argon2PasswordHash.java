package io.heddle.persistence.password;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.SettingRule;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.Semaphore;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Argon2id with OWASP's parameters: 19 MiB, two passes, one lane. Thread-safe. At most {@code concurrency} hashes are computed at once and
 * further callers wait in order, so memory is bounded by concurrency × 19 MiB (× 64 MiB for the largest accepted parameters of stored
 * hashes). Clients wait before, in core's fair queue; administrators use a separate instance.
 *
 * <p>Metric: {@code heddle.password.hash} (timer).
 */
public final class Argon2PasswordHash implements PasswordHash {
    private static final int MEMORY = 19_456;
    private static final int ITERATIONS = 2;
    private static final int PARALLELISM = 1;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;

    private final SecureRandom random;
    private final Semaphore permits;
    private final Timer timer;

    /**
     * Creates a hash with a limit.
     *
     * @param concurrency the maximum of concurrent computations, at least 1; more than the number of processors only cost memory
     * @param random the source of salts
     */
    public Argon2PasswordHash(int concurrency, SecureRandom random, MeterRegistry registry) {
        SettingRule.between("heddle.authentication.concurrent-password-checks", concurrency, 1, 1_024);
        this.random = random;
        this.permits = new Semaphore(concurrency, true);
        this.timer = Timer.builder("heddle.password.hash")
                .description("Computing one password hash")
                .register(registry);
    }

    /** Returns whether a text is a hash that {@link #matches} can check: Argon2id in PHC format within the limits of stored hashes. */
    public static boolean isHash(String text) {
        return PhcString.parse(text) != null;
    }

    @Override
    public String hash(BinaryData password) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        PhcString parameters = new PhcString(
                MEMORY, ITERATIONS, PARALLELISM, BinaryData.wrap(salt), BinaryData.wrap(new byte[HASH_BYTES]));
        return parameters
                .withHash(BinaryData.wrap(compute(password, parameters)))
                .text();
    }

    @Override
    public boolean matches(BinaryData password, String hash, SignInSource source) {
        PhcString stored = PhcString.parse(hash);
        return stored != null
                && MessageDigest.isEqual(
                        compute(password, stored), stored.hash().array());
    }

    /** Computes the hash of a password with the parameters, salt and length of another hash. */
    private byte[] compute(BinaryData password, PhcString like) {
        // Not interruptible: the wait is short, because each computation is.
        permits.acquireUninterruptibly();
        Timer.Sample sample = Timer.start();
        try {
            Argon2BytesGenerator generator = new Argon2BytesGenerator();
            generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                    .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                    .withMemoryAsKB(like.memory())
                    .withIterations(like.iterations())
                    .withParallelism(like.parallelism())
                    .withSalt(like.salt().array())
                    .build());
            byte[] hash = new byte[like.hash().length()];
            generator.generateBytes(password.array(), hash);
            return hash;
        } finally {
            permits.release();
            sample.stop(timer);
        }
    }
}

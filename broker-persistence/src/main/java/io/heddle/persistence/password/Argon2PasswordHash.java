package io.heddle.persistence.password;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.SettingRule;
import io.heddle.persistence.scram.ScramAlgorithm;
import io.heddle.persistence.scram.ScramVerifier;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.lang.ref.SoftReference;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator.FixedBlockPool;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.jspecify.annotations.Nullable;

/**
 * Argon2id with OWASP's parameters: 19 MiB, two passes, one lane. Also checks hashes of other software ({@link ForeignHash}) and verifiers for SCRAM, which are
 * not replaced because they serve both. Thread-safe. At most {@code concurrency} hashes are computed at once and
 * further callers wait in order, so memory is bounded by concurrency × 19 MiB (× 64 MiB for the largest accepted parameters of stored
 * hashes). Clients wait before, in core's fair queue; administrators use a separate instance.
 *
 * <p>Metrics: {@code heddle.password.hash} (timer), {@code heddle.password.renewed}.
 */
public final class Argon2PasswordHash implements PasswordHash {
    private static final int MEMORY = 19_456;
    private static final int ITERATIONS = 2;
    private static final int PARALLELISM = 1;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;

    private final SecureRandom random;
    private final Semaphore permits;
    // The memory of earlier computations, which is released when the heap gets full. Allocating it anew keeps the
    // garbage
    // collector busy, and its pauses delay all clients.
    private final ConcurrentLinkedDeque<SoftReference<FixedBlockPool>> pools = new ConcurrentLinkedDeque<>();
    private final Timer timer;
    private final Counter renewed;

    /**
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
        this.renewed = Counter.builder("heddle.password.renewed")
                .description("Password hashes of other software that were replaced at a sign-in")
                .register(registry);
    }

    /**
     * Returns whether a text is a hash that {@link #matches} can check, within the limits of stored hashes: Argon2id in PHC format, a {@link
     * ScramVerifier} or a {@link ForeignHash}.
     */
    public static boolean isHash(String text) {
        return PhcString.parse(text) != null || other(text) != null;
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
    public String hash(BinaryData password, String form) {
        ScramAlgorithm algorithm = ScramAlgorithm.ofForm(form);
        return algorithm == null
                ? hash(password)
                : limited(
                        () -> ScramVerifier.create(algorithm, password, random).text());
    }

    @Override
    public boolean matches(BinaryData password, String hash, SignInSource source) {
        PhcString stored = PhcString.parse(hash);
        if (stored != null) {
            return MessageDigest.isEqual(
                    compute(password, stored), stored.hash().array());
        }
        Predicate<BinaryData> other = other(hash);
        if (other != null && limited(() -> other.test(password))) {
            return true;
        }
        // Also if the credentials have no password. Takes as long as for an unknown name, so that timing does not
        // reveal which names exist.
        hash(password);
        return false;
    }

    private static @Nullable Predicate<BinaryData> other(String hash) {
        ScramVerifier verifier = ScramVerifier.parse(hash);
        if (verifier != null) {
            return verifier::matches;
        }
        ForeignHash foreign = ForeignHash.parse(hash);
        return foreign == null ? null : foreign::matches;
    }

    @Override
    public @Nullable String renew(BinaryData password, String hash) {
        if (ForeignHash.parse(hash) == null) {
            return null;
        }
        renewed.increment();
        return hash(password);
    }

    /** Computes the hash of a password with the parameters, salt and length of another hash. */
    private byte[] compute(BinaryData password, PhcString like) {
        return limited(() -> {
            SoftReference<FixedBlockPool> reusable = pools.pollFirst();
            FixedBlockPool pool = reusable == null ? null : reusable.get();
            if (pool == null) {
                pool = new FixedBlockPool(MEMORY);
                reusable = new SoftReference<>(pool);
            }
            Argon2BytesGenerator generator = new Argon2BytesGenerator();
            generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                    .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                    .withMemoryAsKB(like.memory())
                    .withIterations(like.iterations())
                    .withParallelism(like.parallelism())
                    .withSalt(like.salt().array())
                    .withBlockPool(pool)
                    .build());
            byte[] hash = new byte[like.hash().length()];
            generator.generateBytes(password.array(), hash);
            pools.addFirst(reusable);
            return hash;
        });
    }

    private <T> T limited(Supplier<T> computation) {
        // Not interruptible: the wait is short, because each computation is.
        permits.acquireUninterruptibly();
        Timer.Sample sample = Timer.start();
        try {
            return computation.get();
        } finally {
            permits.release();
            sample.stop(timer);
        }
    }
}

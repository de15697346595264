package io.heddle.persistence.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.KeyedHash;
import io.heddle.persistence.http.ServiceAnswer.Result;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Recent answers of a service to the same request: yes, and not mine. A no is not kept, so that a client that has just been created need not
 * wait; {@code SignInFailures} delays clients that try again. Stores hashes of requests, and no passwords. Thread-safe. Bounds: bytes and time.
 */
final class AnswerCache {
    /** The hash, an answer without groups, and the entry of the cache. */
    private static final int ENTRY_BYTES = 500;
    /** Characters take up to two bytes, and each text is an object. */
    private static final int BYTES_PER_BYTE = 4;

    private final KeyedHash hash;
    private final Cache<BinaryData, ServiceAnswer> answers;

    /**
     * Creates an empty cache.
     *
     * @param bytes the maximum size; 0 disables the cache
     * @param time for which an answer is kept; 0 disables the cache
     * @param random the source of the key of the hash
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    AnswerCache(long bytes, Duration time, SecureRandom random, LongSupplier nanoTime) {
        this.hash = new KeyedHash(random);
        this.answers = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .<BinaryData, ServiceAnswer>weigher((_, answer) -> ENTRY_BYTES + BYTES_PER_BYTE * answer.size())
                .expireAfterWrite(time)
                .ticker(nanoTime::getAsLong)
                .executor(Runnable::run)
                .build();
    }

    /** Returns the answer to the same request, unless the permission in it has ended. */
    @Nullable
    ServiceAnswer find(ServiceRequest request, Instant now) {
        ServiceAnswer answer = answers.getIfPresent(request.hash(hash));
        return answer == null || answer.isOver(now) ? null : answer;
    }

    void keep(ServiceRequest request, ServiceAnswer answer) {
        if (answer.result() != Result.DENY) {
            answers.put(request.hash(hash), answer);
        }
    }
}

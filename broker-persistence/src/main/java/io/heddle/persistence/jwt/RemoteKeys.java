package io.heddle.persistence.jwt;

import io.heddle.core.FailureLog;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.client.TokenKey;
import io.heddle.persistence.http.WebClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys at an address, a JWK Set, which is fetched at an interval, and once more for a token with an unknown key. While the address does not
 * answer, the last keys stay. Thread-safe; blocks.
 *
 * <p>One of several servers behind the address may lag behind. So a key that is missing verifies no token any more, but is removed only if it is
 * still missing in the next set, which is fetched after the pause.
 *
 * <p>Bounds: one fetch at a time, {@value #MAXIMUM_BYTES} bytes, a time-out, a pause between two fetches that tokens cause, and {@value
 * #MAXIMUM_WAITING} clients that wait for a fetch.
 *
 * <p>Metrics: {@code heddle.authentication.jwt.fetches{outcome}}, {@code heddle.authentication.jwt.keys.age}.
 */
public final class RemoteKeys implements KeySource {
    static final int MAXIMUM_BYTES = 1 << 20;
    static final int MAXIMUM_WAITING = 1_000;

    private static final Logger log = LoggerFactory.getLogger(RemoteKeys.class);
    private static final int OK = 200;

    private final URI address;
    private final Duration timeout;
    private final long refreshNanos;
    private final long pauseNanos;
    private final LongSupplier nanoTime;
    private final WebClient client;
    private final Counter fetched;
    private final Counter failed;
    private final ReentrantLock fetching = new ReentrantLock();
    private final Semaphore waiting = new Semaphore(MAXIMUM_WAITING);
    // Written under the lock.
    private volatile @Nullable Fetched current;
    private volatile long attemptNanos;
    private volatile boolean isDown = true;

    /**
     * @param nanos when it was fetched
     * @param missing the keys that are missing since a fetch less than a pause ago, with the time of this fetch
     * @param valid the keys of the set, and the missing ones
     */
    private record Fetched(KeySet keys, long nanos, Map<TokenKey, Long> missing, Set<TokenKey> valid) {}

    /**
     * Creates a source that has fetched nothing.
     *
     * @param timeout of a fetch, from the connection to the last byte
     * @param refresh the interval of fetches
     * @param pause the shortest time from a fetch to one that the token of a client causes, and to one after a failure or after a key has
     *     vanished
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public RemoteKeys(
            URI address,
            Duration timeout,
            Duration refresh,
            Duration pause,
            LongSupplier nanoTime,
            MeterRegistry metrics) {
        this.address = address;
        this.timeout = timeout;
        this.refreshNanos = refresh.toNanos();
        this.pauseNanos = pause.toNanos();
        this.nanoTime = nanoTime;
        this.attemptNanos = nanoTime.getAsLong() - pauseNanos;
        this.client = new WebClient(timeout, MAXIMUM_BYTES, null);
        this.fetched = metrics.counter("heddle.authentication.jwt.fetches", "outcome", "ok");
        this.failed = metrics.counter("heddle.authentication.jwt.fetches", "outcome", "failed");
        Gauge.builder("heddle.authentication.jwt.keys.age", this, RemoteKeys::ageSeconds)
                .description("Time since the keys for JWTs were fetched")
                .baseUnit("seconds")
                .register(metrics);
    }

    private double ageSeconds() {
        Fetched known = current;
        return known == null
                ? Double.NaN
                : (double) TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - known.nanos)
                        / TimeUnit.SECONDS.toMillis(1);
    }

    /** Fetches the keys if the interval, or the pause after a failure, is over. */
    @Override
    public void refresh() {
        if (isDue()) {
            fetching.lock();
            try {
                if (isDue()) {
                    fetch();
                }
            } finally {
                fetching.unlock();
            }
        }
    }

    @Override
    public @Nullable Set<TokenKey> valid() {
        Fetched known = current;
        return known == null ? null : known.valid;
    }

    private boolean isDue() {
        if (isDown) {
            return isOver(pauseNanos);
        }
        Fetched known = current;
        boolean isKeyMissing = known != null && !known.missing.isEmpty();
        return isOver(isKeyMissing ? Math.min(pauseNanos, refreshNanos) : refreshNanos);
    }

    @Override
    public List<VerificationKey> find(Token token) {
        Fetched known = current;
        List<VerificationKey> found = known == null ? List.of() : known.keys.find(token);
        if (!found.isEmpty()) {
            return found;
        }
        Fetched latest = latest(known);
        found = latest == null ? List.of() : latest.keys.find(token);
        if (found.isEmpty() && isDown) {
            throw new StoreUnavailableException("The address of the keys for JWTs does not answer", null);
        }
        return found;
    }

    /** Returns newer keys than these, if the pause allows a fetch or one is in progress. */
    private @Nullable Fetched latest(@Nullable Fetched known) {
        if (!isOver(pauseNanos) && !fetching.isLocked()) {
            return current;
        }
        if (!waiting.tryAcquire()) {
            throw new SignInBusyException("too many clients wait for the keys of JWTs");
        }
        try {
            if (fetching.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    if (Objects.equals(current, known) && isOver(pauseNanos)) {
                        fetch();
                    }
                } finally {
                    fetching.unlock();
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            waiting.release();
        }
        return current;
    }

    private boolean isOver(long nanos) {
        return nanoTime.getAsLong() - attemptNanos >= nanos;
    }

    private void fetch() {
        Fetched before = current;
        long begin = nanoTime.getAsLong();
        try {
            KeySet keys = KeySet.ofJwkSet(download(), false);
            if (before == null || !before.keys.equals(keys)) {
                log.info(
                        "Fetched new keys for JWTs: keys={}, address={}",
                        keys.keys().size(),
                        address);
            }
            current = next(before, keys, begin);
            isDown = false;
            fetched.increment();
        } catch (IOException | IllegalArgumentException failure) {
            isDown = true;
            failed.increment();
            String effect = before == null ? "clients with JWTs are refused" : "the last keys stay in use";
            FailureLog.warn(log, "Cannot fetch the keys for JWTs; " + effect + ": address=" + address, failure);
        } finally {
            // From the end, so that clients that have waited for a fetch do not repeat it.
            attemptNanos = nanoTime.getAsLong();
        }
    }

    private Fetched next(@Nullable Fetched before, KeySet keys, long begin) {
        long now = nanoTime.getAsLong();
        Set<TokenKey> present = keys.tokenKeys();
        Map<TokenKey, Long> missing = new HashMap<>();
        if (before != null) {
            for (TokenKey each : before.valid) {
                Long since = before.missing.get(each);
                boolean isRemoved = since != null && begin - since >= pauseNanos;
                if (!present.contains(each) && !isRemoved) {
                    missing.put(each, since == null ? now : since);
                }
            }
        }
        Set<TokenKey> valid = new HashSet<>(present);
        valid.addAll(missing.keySet());
        return new Fetched(keys, now, Map.copyOf(missing), Set.copyOf(valid));
    }

    private String download() throws IOException {
        HttpResponse<byte[]> response = client.send(
                HttpRequest.newBuilder(address).header("Accept", "application/jwk-set+json, application/json"));
        if (response.statusCode() != OK) {
            throw new IOException("the HTTP status is " + response.statusCode());
        }
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.close();
    }
}

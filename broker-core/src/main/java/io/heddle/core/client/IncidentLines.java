package io.heddle.core.client;

import io.heddle.core.LogRateLimit;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The limits of the lines that {@link ClientIncidents} writes. Thread-safe. */
final class IncidentLines {
    static final int MAXIMUM = 100;
    static final Duration WINDOW = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private final ConcurrentMap<Kind, LogRateLimit> limits = new ConcurrentHashMap<>();

    enum Event {
        REFUSAL,
        LIMIT,
        DROP,
        DENIAL,
        TAKEOVER,
        VIOLATION,
        CLOSE,
        DISCONNECTION,
        GONE,
        FAILED_SIGN_INS
    }

    private record Kind(Event event, String detail) {}

    /** @param cause another cause of the same client has a line of its own; values, which begin with the first "=", are no other cause */
    private record Subject(@Nullable Object client, String cause) {}

    IncidentLines(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns how many lines were suppressed before this one, or {@link LogRateLimit#SUPPRESSED}. */
    long acquire(Event event, String detail, @Nullable Object subject) {
        Kind kind = new Kind(event, detail);
        LogRateLimit limit = limits.get(kind);
        if (limit == null) {
            limit = limits.computeIfAbsent(kind, _ -> new LogRateLimit(MAXIMUM, WINDOW, nanoTime));
        }
        return limit.acquire(subject);
    }

    /** The number of clients in memory, for tests. */
    int subjects() {
        return limits.values().stream().mapToInt(LogRateLimit::subjects).sum();
    }

    static Object subject(String clientId, String cause) {
        return ofClient(clientId, cause);
    }

    /** A client without an id is known by its address without the port, which differs for each connection. */
    static Object subject(String clientId, @Nullable SocketAddress address, String cause) {
        if (!clientId.isEmpty()) {
            return ofClient(clientId, cause);
        }
        return ofClient(
                address instanceof InetSocketAddress internet && internet.getAddress() != null
                        ? internet.getAddress()
                        : address,
                cause);
    }

    private static Subject ofClient(@Nullable Object client, String cause) {
        int value = cause.indexOf('=');
        return new Subject(client, value < 0 ? cause : cause.substring(0, value));
    }
}

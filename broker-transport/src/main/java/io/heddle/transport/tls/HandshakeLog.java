package io.heddle.transport.tls;

import io.heddle.core.LogRateLimit;
import io.heddle.core.mqtt.ControlCharacters;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failed handshakes of a node: at most one line a minute for each reason. Thread-safe. */
final class HandshakeLog {
    private static final Logger log = LoggerFactory.getLogger(HandshakeLog.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int MAXIMUM_DETAIL = 300;

    private final Map<HandshakeFailure, LogRateLimit> limits = new EnumMap<>(HandshakeFailure.class);

    HandshakeLog(LongSupplier nanoTime) {
        for (HandshakeFailure reason : HandshakeFailure.values()) {
            limits.put(reason, new LogRateLimit(1, PAUSE, nanoTime));
        }
    }

    /** Logs a failure, unless one with the same reason was logged within the last minute; returns whether it was logged. */
    boolean failed(
            HandshakeFailure reason, String listener, @Nullable SocketAddress address, @Nullable Throwable cause) {
        if (reason.isOrdinary()) {
            log.debug("TLS handshake failed: {}; listener={}, address={}", reason.sentence(), listener, address);
            return false;
        }
        LogRateLimit limit = limits.get(reason);
        long suppressed = limit == null ? LogRateLimit.SUPPRESSED : limit.acquire();
        if (suppressed == LogRateLimit.SUPPRESSED) {
            log.debug("TLS handshake failed: {}; listener={}, address={}", reason.sentence(), listener, address, cause);
            return false;
        }
        log.info(
                "TLS handshake failed: {}; suppressed={}, listener={}, address={}, detail={}",
                reason.sentence(),
                suppressed,
                listener,
                address,
                detail(reason, cause));
        return true;
    }

    /** Netty repeats the bytes of a client that does not use TLS. */
    private static String detail(HandshakeFailure reason, @Nullable Throwable cause) {
        if (cause == null || reason == HandshakeFailure.NOT_TLS) {
            return "-";
        }
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = String.valueOf(root.getMessage());
        return ControlCharacters.escaped(text.substring(0, Math.min(text.length(), MAXIMUM_DETAIL)));
    }
}

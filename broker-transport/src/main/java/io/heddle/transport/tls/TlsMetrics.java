package io.heddle.transport.tls;

import io.heddle.transport.admission.Places;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The counters of handshakes and of certificates of clients, all registered when the node starts. Thread-safe. */
final class TlsMetrics {
    private final Counter version12;
    private final Counter version13;
    private final Map<HandshakeFailure, Counter> failures = new EnumMap<>(HandshakeFailure.class);
    private final Map<HandshakeFailure, Counter> disconnected = new EnumMap<>(HandshakeFailure.class);

    /** @param inProgress the places of handshakes in progress */
    TlsMetrics(MeterRegistry registry, Places inProgress) {
        version12 = registry.counter("heddle.tls.handshakes", "protocol", "TLSv1.2");
        version13 = registry.counter("heddle.tls.handshakes", "protocol", "TLSv1.3");
        registry.gauge("heddle.tls.handshakes.in.progress", inProgress, Places::newcomers);
        for (HandshakeFailure reason : HandshakeFailure.values()) {
            failures.put(reason, registry.counter("heddle.tls.handshake.failures", "reason", reason.tag()));
        }
        for (HandshakeFailure reason :
                List.of(HandshakeFailure.CERTIFICATE_REVOKED, HandshakeFailure.UNKNOWN_AUTHORITY)) {
            disconnected.put(reason, registry.counter("heddle.tls.clients.disconnected", "reason", reason.tag()));
        }
    }

    void disconnected(HandshakeFailure reason) {
        Counter counter = disconnected.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }

    void completed(String protocol) {
        (protocol.equals("TLSv1.3") ? version13 : version12).increment();
    }

    void failed(HandshakeFailure reason) {
        Counter counter = failures.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }
}

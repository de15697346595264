package io.heddle.app.tls;

import io.heddle.core.lifecycle.Housekeeping;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.node.operation.CertificateStatus;
import io.heddle.transport.certificate.Certificates;
import io.heddle.transport.tls.ListenerTls;
import io.heddle.transport.tls.ServerKey;
import io.heddle.transport.tls.TlsHandshakes;
import io.heddle.transport.tls.TlsSettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of all listeners, read before the listeners open, and a thread that watches their files. A node without listeners with TLS has
 * neither. Started and stopped by one thread at a time; any thread may use it.
 */
public final class NodeCertificates implements StartupPhase {
    private final MqttTlsSettings settings;
    private final Supplier<List<TlsSettings>> listeners;
    private final HttpCertificate http;
    private final Clock clock;
    private final MeterRegistry metrics;
    private volatile @Nullable Started started;

    private record Started(
            TlsHandshakes handshakes,
            Certificates certificates,
            Housekeeping watch,
            @Nullable OcspStapling stapling) {}

    /** @param listeners returns those for MQTT with TLS; throws StartupException if a setting is missing */
    public NodeCertificates(
            MqttTlsSettings settings,
            Supplier<List<TlsSettings>> listeners,
            HttpCertificate http,
            Clock clock,
            MeterRegistry metrics) {
        this.settings = settings;
        this.listeners = listeners;
        this.http = http;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "the certificates of the listeners";
    }

    @Override
    public void start() {
        List<TlsSettings> encrypted = Stream.concat(listeners.get().stream(), http.settings().stream())
                .toList();
        if (encrypted.isEmpty()) {
            return;
        }
        TlsHandshakes handshakes = new TlsHandshakes(
                settings.maximumHandshakes(),
                settings.handshakeTimeout(),
                Runtime.getRuntime().availableProcessors(),
                System::nanoTime,
                metrics);
        OcspStapling stapling = settings.ocspStapling() ? new OcspStapling(this::keysOfMqtt, clock, metrics) : null;
        boolean complete = false;
        try {
            Certificates certificates = new Certificates(
                    encrypted,
                    handshakes,
                    stapling == null ? null : stapling.staples(),
                    settings.expiryWarning(),
                    clock,
                    metrics);
            http.settings().forEach(each -> certificates.follow(each.listener(), http::replace));
            Housekeeping watch = new Housekeeping("certificate-files", settings.reloadInterval(), certificates::check);
            watch.start();
            started = new Started(handshakes, certificates, watch, stapling);
            if (stapling != null) {
                stapling.start();
            }
            complete = true;
        } finally {
            if (!complete) {
                handshakes.close();
                if (stapling != null) {
                    stapling.close();
                }
            }
        }
    }

    /** The HTTP port has a TLS of its own, which does not staple. */
    private List<ServerKey> keysOfMqtt() {
        Started current = started;
        return current == null
                ? List.of()
                : current.certificates()
                        .keys(listeners.get().stream()
                                .map(TlsSettings::listener)
                                .toList());
    }

    /** Returns TLS of a listener; only while started. */
    public ListenerTls tls(String listener) {
        Started current = started;
        if (current == null) {
            throw new IllegalStateException("the certificates are not open");
        }
        return current.certificates().tls(listener);
    }

    /**
     * Reads the files again; returns the certificates in use, none without TLS.
     *
     * @throws io.heddle.core.lifecycle.StartupException if a file cannot be used; then nothing has changed
     */
    public List<CertificateStatus> reload() {
        Started current = started;
        return current == null ? List.of() : current.certificates().reload();
    }

    @Override
    public void stop() {
        Started stopped = started;
        started = null;
        if (stopped != null) {
            stopped.watch().stop();
            OcspStapling stapling = stopped.stapling();
            if (stapling != null) {
                stapling.close();
            }
            stopped.certificates().close();
            stopped.handshakes().close();
        }
    }
}

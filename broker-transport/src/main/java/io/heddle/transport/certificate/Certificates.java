package io.heddle.transport.certificate;

import io.heddle.core.ChangedFiles;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.node.operation.CertificateStatus;
import io.heddle.transport.certificate.LoadedFiles.Expiry;
import io.heddle.transport.tls.ListenerTls;
import io.heddle.transport.tls.ServerKey;
import io.heddle.transport.tls.Staples;
import io.heddle.transport.tls.TlsHandshakes;
import io.heddle.transport.tls.TlsSettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of all listeners of a node, which are read from files at the start, when a file changes, and by command. A file that cannot be
 * used changes nothing. Reads block; thread-safe. States: open, closed.
 */
public final class Certificates implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Certificates.class);
    private static final Duration LONGEST_USE_OF_TICKET_KEYS = Duration.ofHours(12);
    private static final Duration WARNING_PAUSE = Duration.ofDays(1);

    private final Duration expiryWarning;
    private final Duration useOfTicketKeys;
    private final Clock clock;
    private final CertificateMetrics metrics;
    // Guarded by this.
    private final Map<String, Watched> listeners = new LinkedHashMap<>();
    private Instant ticketKeysDue;
    private Instant warningDue;

    /** The files of a listener in use. Guarded by the certificates. */
    private static final class Watched {
        private final ListenerTls tls;
        private LoadedFiles loaded;
        private final ChangedFiles changes;
        private Consumer<ServerKey> follower = _ -> {};

        Watched(ListenerTls tls, LoadedFiles loaded, ChangedFiles changes) {
            this.tls = tls;
            this.loaded = loaded;
            this.changes = changes;
        }
    }

    /** Files of a listener that were read and that TLS can use. */
    private record Next(Watched watched, LoadedFiles files, ListenerTls.Replacement replacement) {}

    /**
     * @param staples the OCSP responses for clients that ask for them, or null
     * @param expiryWarning how long before a certificate expires the node logs a warning each day
     * @throws StartupException if a file or a setting cannot be used
     */
    public Certificates(
            List<TlsSettings> settings,
            TlsHandshakes handshakes,
            @Nullable Staples staples,
            Duration expiryWarning,
            Clock clock,
            MeterRegistry registry) {
        this.expiryWarning = expiryWarning;
        // BoringSSL has a timeout of its own for sessions of TLS 1.3, of days; only the keys of their tickets end them.
        this.useOfTicketKeys = settings.stream()
                .map(TlsSettings::sessionTimeout)
                .reduce(LONGEST_USE_OF_TICKET_KEYS, (one, other) -> one.compareTo(other) < 0 ? one : other);
        this.clock = clock;
        this.metrics = new CertificateMetrics(clock, registry);
        this.ticketKeysDue = clock.instant().plus(useOfTicketKeys);
        this.warningDue = clock.instant();
        boolean complete = false;
        try {
            for (TlsSettings each : settings) {
                ChangedFiles changes = new ChangedFiles(LoadedFiles.of(each));
                LoadedFiles loaded = LoadedFiles.read(each);
                ListenerTls tls = new ListenerTls(each, handshakes, loaded.keys(), loaded.trustManagers(), staples);
                listeners.put(each.listener(), new Watched(tls, loaded, changes));
                log.info(
                        "Read the certificates of a listener: listener={}, provider={}, certificates={}",
                        each.listener(),
                        each.provider().chosen(),
                        described(loaded));
            }
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
        show();
    }

    /**
     * Checks the files of listeners before anything is started.
     *
     * @throws StartupException if a file or a setting cannot be used
     */
    public static void check(List<TlsSettings> settings) {
        for (TlsSettings each : settings) {
            LoadedFiles loaded = LoadedFiles.read(each);
            ListenerTls.check(each, loaded.keys(), loaded.trustManagers());
        }
    }

    /**
     * Returns the first certificate of a listener from its files, with its key.
     *
     * @throws StartupException if a file cannot be used
     */
    public static ServerKey read(TlsSettings settings) {
        return LoadedFiles.read(settings).keys().getFirst();
    }

    /** @throws IllegalArgumentException if it has none */
    public synchronized ListenerTls tls(String listener) {
        return watched(listener).tls;
    }

    /**
     * Shows the first certificate of a listener to a server of its own, at once and whenever it is replaced.
     *
     * @throws IllegalArgumentException if the listener has no TLS
     */
    public synchronized void follow(String listener, Consumer<ServerKey> follower) {
        Watched watched = watched(listener);
        watched.follower = follower;
        follower.accept(watched.loaded.keys().getFirst());
    }

    private Watched watched(String listener) {
        Watched watched = listeners.get(listener);
        if (watched == null) {
            throw new IllegalArgumentException("listener " + listener + " has no TLS");
        }
        return watched;
    }

    /** Returns the certificates of some listeners that are in use. */
    public synchronized List<ServerKey> keys(Collection<String> names) {
        return listeners.values().stream()
                .filter(watched -> names.contains(watched.tls.settings().listener()))
                .flatMap(watched -> watched.loaded.keys().stream())
                .toList();
    }

    public synchronized List<CertificateStatus> status() {
        return listeners.values().stream()
                .flatMap(watched -> watched.loaded.status().stream())
                .toList();
    }

    /**
     * Reads the files of all listeners again and uses their certificates for new connections.
     *
     * @return the certificates in use
     * @throws StartupException if a file cannot be used; then nothing has changed
     */
    public synchronized List<CertificateStatus> reload() {
        List<Next> next = new ArrayList<>();
        try {
            for (Watched watched : listeners.values()) {
                watched.changes.mark();
                next.add(prepare(watched));
            }
        } catch (StartupException e) {
            next.forEach(each -> each.replacement().drop());
            metrics.failed();
            throw e;
        }
        next.forEach(this::use);
        return status();
    }

    /**
     * Reads the files of listeners that have changed, once they have stopped changing: a change that the call before has seen too. Reads them
     * again until they can be used. Logs and counts files that cannot be used, once for each change and reason. Also warns of certificates that expire. To be called every few seconds.
     */
    public synchronized void check() {
        for (Watched watched : listeners.values()) {
            if (watched.changes.haveChanged()) {
                reloadChanged(watched);
            }
        }
        Instant now = clock.instant();
        if (!now.isBefore(ticketKeysDue)) {
            ticketKeysDue = now.plus(useOfTicketKeys);
            listeners.values().forEach(watched -> watched.tls.rotateTicketKeys());
        }
        if (!now.isBefore(warningDue)) {
            show();
        }
    }

    private void reloadChanged(Watched watched) {
        try {
            use(prepare(watched));
        } catch (StartupException e) {
            String reason = String.valueOf(e.getMessage());
            if (watched.changes.failed(reason)) {
                metrics.failed();
                log.warn(
                        "Changed certificate files cannot be used; the listener keeps its certificates: {}; listener={}",
                        reason,
                        watched.tls.settings().listener());
            }
        }
    }

    private static Next prepare(Watched watched) {
        LoadedFiles files = LoadedFiles.read(watched.tls.settings());
        return new Next(
                watched,
                files,
                watched.tls.prepare(files.keys(), files.trustManagers(), files.hasRulesOf(watched.loaded)));
    }

    private void use(Next next) {
        next.replacement().use();
        next.watched().loaded = next.files();
        next.watched().changes.used();
        next.watched().follower.accept(next.files().keys().getFirst());
        metrics.reloaded();
        log.info(
                "Reloaded the certificates of a listener; open connections keep theirs: listener={}, certificates={}",
                next.watched().tls.settings().listener(),
                described(next.files()));
        show();
    }

    private static List<String> described(LoadedFiles files) {
        return files.status().stream()
                .map(each -> each.subject() + " for " + each.names() + " until " + each.expires())
                .toList();
    }

    /** Shows and logs when certificates expire. */
    private void show() {
        List<LoadedFiles> all =
                listeners.values().stream().map(watched -> watched.loaded).toList();
        metrics.show(all);
        warningDue = clock.instant().plus(WARNING_PAUSE);
        Instant soon = clock.instant().plus(expiryWarning);
        for (LoadedFiles loaded : all) {
            for (Expiry expiry : loaded.expiries()) {
                // Lists of revoked certificates last days only: they are due within any reasonable time of warning.
                boolean isDue = expiry.kind().equals("revocation_list")
                        ? expiry.expires().isBefore(clock.instant())
                        : expiry.expires().isBefore(soon);
                if (isDue) {
                    log.warn(
                            "A file of a TLS listener expires soon or has expired; replace it: kind={}, expires={},"
                                    + " subject={}, listener={}",
                            expiry.kind(),
                            expiry.expires(),
                            expiry.subject(),
                            loaded.settings().listener());
                }
            }
        }
    }

    /** Frees the memory. No connection may begin afterwards. */
    @Override
    public synchronized void close() {
        listeners.values().forEach(watched -> watched.tls.close());
        listeners.clear();
    }
}

package io.heddle.transport.certificate;

import io.heddle.core.node.operation.CertificateStatus;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.ServerKey;
import io.heddle.transport.tls.TlsSettings;
import io.heddle.transport.tls.TrustFiles;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The content of all files of one listener. Immutable.
 *
 * @param trust null if clients have no certificates
 */
record LoadedFiles(
        TlsSettings settings,
        List<ServerKey> keys,
        @Nullable ClientTrust trust) {
    LoadedFiles {
        keys = List.copyOf(keys);
    }

    static List<Path> of(TlsSettings settings) {
        List<Path> files = new ArrayList<>();
        for (KeyFiles key : settings.keys()) {
            files.add(key.certificate());
            Path keyFile = key.key();
            if (keyFile != null) {
                files.add(keyFile);
            }
        }
        TrustFiles trust = settings.trust();
        if (trust != null) {
            files.add(trust.trustStore());
            files.addAll(trust.revocationLists());
        }
        return files;
    }

    /** Throws StartupException with a sentence for the operator if a file cannot be used. */
    static LoadedFiles read(TlsSettings settings) {
        List<ServerKey> keys =
                settings.keys().stream().map(ServerKeyReader::read).toList();
        TrustFiles trust = settings.trust();
        return new LoadedFiles(settings, keys, trust == null ? null : ClientTrust.read(trust));
    }

    @Nullable
    TrustManagerFactory trustManagers() {
        return trust == null ? null : trust.trustManagers();
    }

    /** Returns whether clients are checked by the same rules. */
    boolean hasRulesOf(LoadedFiles other) {
        return Objects.equals(trust, other.trust);
    }

    List<CertificateStatus> status() {
        return keys.stream()
                .map(key -> new CertificateStatus(
                        settings.listener(),
                        key.certificate().getSubjectX500Principal().getName(),
                        key.names(),
                        expires(key.chain())))
                .toList();
    }

    /**
     * The time at which a file is out of date.
     *
     * @param kind certificate, authority or revocation_list
     */
    record Expiry(String kind, String subject, Instant expires) {}

    /** Returns when the certificates of the server, the authorities of clients and their lists are out of date. */
    List<Expiry> expiries() {
        List<Expiry> expiries = new ArrayList<>();
        for (ServerKey key : keys) {
            expiries.add(new Expiry(
                    "certificate", key.certificate().getSubjectX500Principal().getName(), expires(key.chain())));
        }
        ClientTrust checked = trust;
        if (checked != null) {
            for (X509Certificate authority : checked.authorities()) {
                expiries.add(new Expiry(
                        "authority",
                        authority.getSubjectX500Principal().getName(),
                        authority.getNotAfter().toInstant()));
            }
            for (X509CRL list : checked.revocationLists()) {
                Date next = list.getNextUpdate();
                if (next != null) {
                    expiries.add(new Expiry(
                            "revocation_list", list.getIssuerX500Principal().getName(), next.toInstant()));
                }
            }
        }
        // A name can be there twice, for example while an authority is replaced: the one that expires first counts.
        Set<List<String>> seen = new HashSet<>();
        return expiries.stream()
                .sorted(Comparator.comparing(Expiry::expires))
                .filter(expiry -> seen.add(List.of(expiry.kind(), expiry.subject())))
                .toList();
    }

    private static Instant expires(List<X509Certificate> chain) {
        return chain.stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }
}

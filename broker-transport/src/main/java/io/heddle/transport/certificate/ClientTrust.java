package io.heddle.transport.certificate;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.transport.tls.TrustFiles;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRL;
import java.security.cert.CRLException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.TrustManagerFactory;

/**
 * The authorities that issue certificates of clients, and their lists of revoked certificates. Immutable. If there is any list, the whole chain of
 * a client is checked, and a client is refused if an authority in it has no current list: a missing list must not admit revoked clients.
 */
record ClientTrust(List<X509Certificate> authorities, List<X509CRL> revocationLists) {
    ClientTrust {
        authorities = List.copyOf(authorities);
        revocationLists = List.copyOf(revocationLists);
    }

    /** Throws StartupException with a sentence for the operator if a file cannot be used. */
    static ClientTrust read(TrustFiles files) {
        List<X509CRL> lists = new ArrayList<>();
        for (Path path : files.revocationLists()) {
            lists.addAll(lists(SettingFile.read(files.setting() + ".revocation-lists", path)));
        }
        return new ClientTrust(authorities(files), lists);
    }

    private static List<X509Certificate> authorities(TrustFiles files) {
        SettingFile file = SettingFile.read(files.setting() + ".trust-store", files.trustStore());
        List<X509Certificate> authorities = file.isPem()
                ? new PemBlocks(file).certificates()
                : new KeyStoreFile(file, files.password(), files.setting() + ".trust-store-password").authorities();
        if (authorities.isEmpty()) {
            throw file.wrong(
                    "has no certificate of an authority",
                    "name a PEM file with such certificates, or import them with keytool -importcert",
                    null);
        }
        return authorities;
    }

    private static List<X509CRL> lists(SettingFile file) {
        List<X509CRL> lists = new ArrayList<>();
        try {
            Collection<? extends CRL> all =
                    CertificateFactory.getInstance("X.509").generateCRLs(file.stream());
            for (CRL each : all) {
                if (each instanceof X509CRL list) {
                    lists.add(list);
                }
            }
        } catch (CRLException | CertificateException e) {
            throw file.wrong("is not a list of revoked certificates (" + e.getMessage() + ")", "replace it", e);
        }
        if (lists.isEmpty()) {
            throw file.wrong("has no list of revoked certificates", "name a CRL in PEM or DER", null);
        }
        return lists;
    }

    /** Returns what checks the certificates of clients. */
    TrustManagerFactory trustManagers() {
        try {
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(
                    authorities.stream()
                            .map(authority -> new TrustAnchor(authority, null))
                            .collect(Collectors.toSet()),
                    new X509CertSelector());
            parameters.setRevocationEnabled(false);
            if (!revocationLists.isEmpty()) {
                parameters.addCertStore(
                        CertStore.getInstance("Collection", new CollectionCertStoreParameters(revocationLists)));
                parameters.addCertPathChecker(revocationChecker());
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(new CertPathTrustManagerParameters(parameters));
            return factory;
        } catch (GeneralSecurityException e) {
            throw new StartupException(
                    "This Java cannot check certificates of clients (" + e.getMessage()
                            + "): use a Java with the algorithm PKIX, such as Temurin",
                    e);
        }
    }

    private static PKIXRevocationChecker revocationChecker() throws GeneralSecurityException {
        PKIXRevocationChecker checker =
                (PKIXRevocationChecker) CertPathBuilder.getInstance("PKIX").getRevocationChecker();
        // Without a request to a server of the authority, whose absence would refuse or delay clients.
        checker.setOptions(
                EnumSet.of(PKIXRevocationChecker.Option.PREFER_CRLS, PKIXRevocationChecker.Option.NO_FALLBACK));
        return checker;
    }
}

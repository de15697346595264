package io.heddle.transport.tls;

import java.nio.file.Path;
import java.util.List;

/**
 * Where the authorities are that issue certificates of clients, and their lists of revoked certificates.
 *
 * @param setting prefix of the keys of the settings, for errors, such as heddle.mqtt.tls
 * @param trustStore PEM or PKCS#12 file with the certificates of the authorities
 * @param password of a PKCS#12 file; empty for none
 * @param revocationLists PEM or DER files; if there are any, each authority of a client's chain must have a list that is not out of date
 */
public record TrustFiles(String setting, Path trustStore, String password, List<Path> revocationLists) {
    public TrustFiles {
        revocationLists = List.copyOf(revocationLists);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "TrustFiles[setting=" + setting + ", trustStore=" + trustStore + ", revocationLists=" + revocationLists
                + "]";
    }
}

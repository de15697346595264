package io.heddle.transport.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A file in the format PKCS#12, opened with its password. */
final class KeyStoreFile {
    private final SettingFile file;
    private final char[] password;
    private final KeyStore store;

    /**
     * @param password empty for none
     * @param passwordSetting key of the setting of the password
     */
    KeyStoreFile(SettingFile file, String password, String passwordSetting) {
        this.file = file;
        this.password = password.toCharArray();
        try {
            store = KeyStore.getInstance("PKCS12");
            store.load(file.stream(), this.password);
        } catch (IOException e) {
            if (e.getCause() instanceof UnrecoverableKeyException) {
                throw file.wrong(
                        "cannot be opened with its password",
                        (password.isEmpty() ? "set " : "correct ") + passwordSetting,
                        e);
            }
            throw file.wrong("is neither PEM nor PKCS#12", "convert it, for example with openssl", e);
        } catch (GeneralSecurityException e) {
            throw file.wrong("cannot be opened (" + e.getMessage() + ")", "create it again", e);
        }
    }

    record Entry(PrivateKey key, List<X509Certificate> chain) {}

    /** Returns the only private key with its certificates. */
    Entry entry() {
        List<Entry> entries = new ArrayList<>();
        try {
            for (String alias : Collections.list(store.aliases())) {
                Certificate[] chain = store.isKeyEntry(alias) ? store.getCertificateChain(alias) : null;
                if (chain != null && store.getKey(alias, password) instanceof PrivateKey key) {
                    entries.add(new Entry(key, certificates(List.of(chain))));
                }
            }
        } catch (GeneralSecurityException e) {
            throw file.wrong("has a private key that Java cannot read (" + e.getMessage() + ")", "create it again", e);
        }
        if (entries.size() != 1) {
            throw file.wrong(
                    "has " + (entries.isEmpty() ? "no private key" : entries.size() + " private keys"),
                    "create it with one key and its certificates",
                    null);
        }
        return entries.getFirst();
    }

    List<X509Certificate> authorities() {
        List<Certificate> authorities = new ArrayList<>();
        try {
            for (String alias : Collections.list(store.aliases())) {
                Certificate certificate = store.isCertificateEntry(alias) ? store.getCertificate(alias) : null;
                if (certificate != null) {
                    authorities.add(certificate);
                }
            }
        } catch (GeneralSecurityException e) {
            throw file.wrong("cannot be read (" + e.getMessage() + ")", "create it again", e);
        }
        return certificates(authorities);
    }

    private static List<X509Certificate> certificates(List<Certificate> all) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Certificate each : all) {
            if (each instanceof X509Certificate certificate) {
                certificates.add(certificate);
            }
        }
        return certificates;
    }
}

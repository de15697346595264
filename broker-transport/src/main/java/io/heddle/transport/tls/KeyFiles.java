package io.heddle.transport.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a certificate of the server and its key are.
 *
 * @param setting prefix of the keys of the settings, for errors, such as heddle.mqtt.tls
 * @param certificate PEM file with the certificate and those of its intermediate authorities in order, or PKCS#12 file with these and the key
 * @param key PEM file with the private key, or null if the key is in the other file
 * @param password of the key or the PKCS#12 file; empty for none
 */
public record KeyFiles(
        String setting, Path certificate, @Nullable Path key, String password) {
    /** Without the password. */
    @Override
    public String toString() {
        return "KeyFiles[setting=" + setting + ", certificate=" + certificate + ", key=" + key + "]";
    }
}

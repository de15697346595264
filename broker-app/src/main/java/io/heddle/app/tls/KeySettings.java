package io.heddle.app.tls;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A further certificate of the server.
 *
 * @param certificate PEM file with the certificate, followed by those of its intermediate authorities; or PKCS#12 file with these and the key
 * @param key PEM file with the private key; empty if the key is in the other file
 * @param keyPassword password of the key, or of the PKCS#12 file
 */
public record KeySettings(
        @DefaultValue("") String certificate,
        @DefaultValue("") String key,
        @DefaultValue("") String keyPassword) {
    /** Without the password. */
    @Override
    public String toString() {
        return "KeySettings[certificate=" + certificate + ", key=" + key + "]";
    }
}

package io.heddle.app.tls;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.transport.tls.KeyFiles;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A certificate of the server. The annotation is only for the generated page of settings.
 *
 * @param certificate PEM file with the certificate, followed by those of its intermediate authorities; or PKCS#12 file with these and the key
 * @param key PEM file with the private key; empty if the key is in the other file
 * @param keyPassword password of the key, or of the PKCS#12 file
 */
@ConfigurationProperties(prefix = KeySettings.PREFIX + "[]")
public record KeySettings(
        @DefaultValue("") String certificate,
        @DefaultValue("") String key,
        @DefaultValue("") String keyPassword) {
    public static final String PREFIX = "heddle.mqtt.tls.additional-certificates";

    /**
     * Refuses a key, or its password, without a certificate.
     *
     * @param prefix of the keys of these settings
     */
    public void requireCertificate(String prefix) {
        if (certificate.isEmpty() && !(key.isEmpty() && keyPassword.isEmpty())) {
            String set = prefix + (key.isEmpty() ? ".key-password" : ".key");
            throw new StartupException(
                    set + " is set, but " + prefix
                            + ".certificate is missing: set it to the PEM or PKCS#12 file with the"
                            + " certificate of this key, or remove " + set,
                    null);
        }
    }

    /**
     * Returns the files.
     *
     * @param prefix of the keys of these settings
     * @throws StartupException if a text is no path
     */
    public KeyFiles toFiles(String prefix) {
        return new KeyFiles(
                prefix,
                path(prefix + ".certificate", certificate),
                key.isEmpty() ? null : path(prefix + ".key", key),
                keyPassword);
    }

    static Path path(String setting, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new StartupException(
                    setting + " is " + ControlCharacters.escaped(text) + ", which is no path: correct it", e);
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "KeySettings[certificate=" + certificate + ", key=" + key + "]";
    }
}

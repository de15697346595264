package io.heddle.app.tls;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A further certificate of the server. The annotation is only for the generated page of settings.
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
    /** Key of the list. */
    public static final String PREFIX = "heddle.mqtt.tls.additional-certificates";

    /** Without the password. */
    @Override
    public String toString() {
        return "KeySettings[certificate=" + certificate + ", key=" + key + "]";
    }
}

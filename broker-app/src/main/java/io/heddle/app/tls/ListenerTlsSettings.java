package io.heddle.app.tls;

import io.heddle.transport.tls.ClientCertificates;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * TLS of one listener; what is not set is as in heddle.mqtt.tls.
 *
 * @param certificate as heddle.mqtt.tls.certificate; key and key-password are those of this one
 * @param key as heddle.mqtt.tls.key
 * @param keyPassword as heddle.mqtt.tls.key-password
 * @param clientCertificates as heddle.mqtt.tls.client-certificates
 * @param trustStore as heddle.mqtt.tls.trust-store; trust-store-password and revocation-lists count only with it
 * @param trustStorePassword as heddle.mqtt.tls.trust-store-password
 * @param revocationLists as heddle.mqtt.tls.revocation-lists
 * @param protocols as heddle.mqtt.tls.protocols
 */
public record ListenerTlsSettings(
        @DefaultValue("") String certificate,
        @DefaultValue("") String key,
        @DefaultValue("") String keyPassword,
        @Nullable ClientCertificates clientCertificates,
        @DefaultValue("") String trustStore,
        @DefaultValue("") String trustStorePassword,
        @DefaultValue List<String> revocationLists,
        @DefaultValue List<String> protocols) {
    /** Everything as in heddle.mqtt.tls. */
    public static final ListenerTlsSettings NONE =
            new ListenerTlsSettings("", "", "", null, "", "", List.of(), List.of());

    public ListenerTlsSettings {
        revocationLists = List.copyOf(revocationLists);
        protocols = List.copyOf(protocols);
    }

    /** Without the passwords. */
    @Override
    public String toString() {
        return "ListenerTlsSettings[certificate=" + certificate + ", key=" + key + ", clientCertificates="
                + clientCertificates + ", trustStore=" + trustStore + "]";
    }
}

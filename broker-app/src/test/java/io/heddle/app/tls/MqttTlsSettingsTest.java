package io.heddle.app.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.transport.tls.ClientCertificates;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.TlsSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

final class MqttTlsSettingsTest {
    private static final String OWN = "heddle.mqtt.listeners[0].tls";

    private static MqttTlsSettings settings(String... keysAndValues) {
        return bind("heddle.mqtt.tls", MqttTlsSettings.class, keysAndValues);
    }

    private static ListenerTlsSettings own(String... keysAndValues) {
        return bind(OWN, ListenerTlsSettings.class, keysAndValues);
    }

    private static <T> T bind(String prefix, Class<T> type, String... keysAndValues) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put(prefix + "." + keysAndValues[i], keysAndValues[i + 1]);
        }
        return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate(prefix, Bindable.of(type));
    }

    @Test
    void aListenerUsesTheCommonSettings() {
        TlsSettings tls = settings(
                        "certificate", "/a.pem",
                        "key", "/a-key.pem",
                        "additional-certificates[0].certificate", "/b.p12",
                        "additional-certificates[0].key-password", "secret",
                        "client-certificates", "optional",
                        "trust-store", "/ca.pem",
                        "revocation-lists", "/1.crl,/2.crl",
                        "protocols", "TLSv1.3")
                .of("mqtts");

        assertThat(tls.keys())
                .containsExactly(
                        new KeyFiles("heddle.mqtt.tls", Path.of("/a.pem"), Path.of("/a-key.pem"), ""),
                        new KeyFiles("heddle.mqtt.tls.additional-certificates[0]", Path.of("/b.p12"), null, "secret"));
        assertThat(tls.clientCertificates()).isEqualTo(ClientCertificates.OPTIONAL);
        assertThat(Objects.requireNonNull(tls.trust()).revocationLists())
                .containsExactly(Path.of("/1.crl"), Path.of("/2.crl"));
        assertThat(tls.protocols()).containsExactly("TLSv1.3");
        assertThat(tls.ciphers()).isEqualTo(TlsSettings.DEFAULT_CIPHERS);
    }

    @Test
    void settingsOfTheListenerComeBeforeTheCommonOnes() {
        MqttTlsSettings common = settings("certificate", "/a.pem", "protocols", "TLSv1.3,TLSv1.2");

        TlsSettings tls = common.of(
                "strict",
                own("certificate", "/c.pem", "client-certificates", "required", "trust-store", "/ca.pem"),
                OWN);

        assertThat(tls.keys()).containsExactly(new KeyFiles(OWN, Path.of("/c.pem"), null, ""));
        assertThat(tls.clientCertificates()).isEqualTo(ClientCertificates.REQUIRED);
        assertThat(tls.protocols()).isEqualTo(List.of("TLSv1.3", "TLSv1.2"));
        assertThat(common.of("open", own(), OWN).clientCertificates()).isEqualTo(ClientCertificates.OFF);
    }

    @Test
    void missingAndWrongSettingsAreNamed() {
        assertWrong(() -> settings().of("mqtts"), "heddle.mqtt.tls.certificate is missing");
        assertWrong(
                () -> settings("certificate", "/a.pem", "client-certificates", "required")
                        .of("mqtts"),
                "heddle.mqtt.tls.trust-store is missing");
        assertWrong(
                () -> settings("certificate", "/a.pem").of("strict", own("protocols", "SSLv3"), OWN),
                OWN + ".protocols is SSLv3");
        assertWrong(
                () -> settings("certificate", "/a.pem").of("strict", own("key-password", "secret"), OWN),
                OWN + ".key-password is set, but " + OWN + ".certificate is missing");
    }

    private static void assertWrong(Runnable use, String part) {
        assertThatThrownBy(use::run).isInstanceOf(StartupException.class).hasMessageContaining(part);
    }
}

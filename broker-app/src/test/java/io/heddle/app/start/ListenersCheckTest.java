package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import io.heddle.app.tls.command.TlsCommand;
import io.heddle.transport.listener.Transport;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Errors of the listeners are found before anything is started. */
final class ListenersCheckTest {
    private static void check(Predicate<Transport> available, String... arguments) {
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SimpleCommandLinePropertySource(CommandLineArguments.toSettings(arguments)));
        new ListenersCheck(available, null)
                .onApplicationEvent(new ApplicationEnvironmentPreparedEvent(
                        new DefaultBootstrapContext(), new SpringApplication(), arguments, environment));
    }

    private static String sentence(Predicate<Transport> available, String... arguments) {
        RuntimeException failure = catchRuntimeException(() -> check(available, arguments));
        assertThat(failure).isNotNull();
        return StartupFailure.sentence(failure);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void anUnsupportedTransportIsRejected(Transport asked) {
        String[] arguments = {"--heddle.mqtt.transport=" + asked.name(), "--mqtt-port=0", "--http-port=0"};

        assertThat(sentence(transport -> transport != asked, arguments))
                .contains("heddle.mqtt.transport is " + asked.name().toLowerCase(Locale.ROOT), "set it to auto");
        assertThatNoException().isThrownBy(() -> check(transport -> transport == asked, arguments));
    }

    @Test
    void aPortInUseIsRejectedWithItsKey() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());

            assertThat(sentence(_ -> true, "--mqtt-port", port, "--http-port=0"))
                    .contains("the MQTT listener cannot use port " + port + " on 127.0.0.1", "heddle.mqtt.port")
                    .doesNotContain("CAP_NET_BIND_SERVICE");
            assertThat(sentence(_ -> true, "--http-port", port, "--mqtt-port=0", "--bind=0.0.0.0"))
                    .contains("the HTTP listener cannot use port " + port + " on 0.0.0.0", "heddle.http.port");
        }
    }

    /** No machine has an address for documentation (RFC 5737). */
    @Test
    void anAddressOfAnotherMachineIsRejectedWithItsKey() {
        assertThat(sentence(_ -> true, "--heddle.mqtt.bind=192.0.2.1", "--mqtt-port=0", "--http-port=0"))
                .contains("the MQTT listener cannot use the address 192.0.2.1", "heddle.mqtt.bind (--bind)");
        assertThat(sentence(_ -> true, "--heddle.http.bind=192.0.2.1", "--mqtt-port=0", "--http-port=0"))
                .contains("the HTTP listener cannot use the address 192.0.2.1", "heddle.http.bind (--bind)");
    }

    @Test
    void certificatesThatCannotBeUsedAreRejected(@TempDir Path directory) throws Exception {
        Path noCertificate = Files.writeString(directory.resolve("server.pem"), "not a certificate\n");

        assertThat(sentence(_ -> true, "--mqtts-port=0", "--mqtt-port=0", "--http-port=0"))
                .contains("heddle.mqtt.tls.certificate is missing");
        assertThat(sentence(
                        _ -> true,
                        "--mqtts-port=0",
                        "--mqtt-port=0",
                        "--http-port=0",
                        "--heddle.mqtt.tls.certificate=" + noCertificate))
                .contains("heddle.mqtt.tls.certificate", noCertificate.toString());
        assertThat(sentence(
                        _ -> true,
                        "--mqtts-port=0",
                        "--mqtt-port=0",
                        "--http-port=0",
                        "--heddle.mqtt.tls.certificate=" + directory.resolve("missing.pem")))
                .contains("heddle.mqtt.tls.certificate", "missing.pem");
        assertThat(sentence(
                        _ -> true, "--mqtt-port=0", "--http-port=0", "--heddle.http.tls.certificate=" + noCertificate))
                .contains("heddle.http.tls.certificate is " + noCertificate);
    }

    @Test
    void usableCertificatesAreAccepted(@TempDir Path directory) {
        Path files = directory.resolve("tls");
        assertThat(TlsCommand.run(List.of("self-signed", "--directory", files.toString())))
                .isZero();

        assertThatNoException()
                .isThrownBy(() -> check(
                        _ -> true,
                        "--mqtts-port=0",
                        "--mqtt-port=0",
                        "--http-port=0",
                        "--heddle.mqtt.tls.certificate=" + files.resolve("server.pem"),
                        "--heddle.mqtt.tls.key=" + files.resolve("server-key.pem"),
                        "--heddle.http.tls.certificate=" + files.resolve("server.pem"),
                        "--heddle.http.tls.key=" + files.resolve("server-key.pem")));
    }

    @Test
    void theErrorForAPrivilegedPortNamesTheCapability() {
        assertThat(ListenersCheck.remedy(1_023)).contains("CAP_NET_BIND_SERVICE", "choose another port");
        assertThat(ListenersCheck.remedy(1_024)).doesNotContain("CAP_NET_BIND_SERVICE");
    }
}

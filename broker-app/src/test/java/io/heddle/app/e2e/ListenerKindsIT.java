package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heddle.transport.connection.ListenerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each client of each version of MQTT on each kind of listener. Programs that are not on this machine are skipped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ListenerKindsIT {
    private static final int LARGE = 300_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private TrialTls tls;

    @AutoClose
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    /** A client that publishes a large message and receives it. */
    @FunctionalInterface
    interface Exchange {
        void over(ListenerAddress address, String topic) throws Exception;
    }

    @BeforeAll
    void start() throws IOException {
        tls = new TrialTls(directory);
        List<String> settings = new ArrayList<>(tls.settings());
        settings.addAll(List.of(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.mqtt.tls-port=0",
                "--heddle.mqtt.ws-port=0",
                "--heddle.mqtt.wss-port=0"));
        broker = BrokerUnderTest.start(settings.toArray(String[]::new));
    }

    private static Stream<Arguments> clientsAndKinds() {
        return clients()
                .flatMap(client -> Arrays.stream(ListenerKind.values()).map(kind -> Arguments.of(client, kind)));
    }

    private static Stream<Named<Exchange>> clients() {
        List<Named<Exchange>> clients = new ArrayList<>();
        for (Library library : Library.values()) {
            clients.add(Named.of(library.name(), (address, topic) -> exchange(library, address, topic)));
        }
        for (int version : List.of(3, 4, 5)) {
            clients.add(Named.of(
                    "mqtt.js version " + version, (address, topic) -> MqttJs.exchange(address, version, topic, LARGE)));
        }
        for (String version : List.of("mqttv31", "mqttv311", "mqttv5")) {
            clients.add(Named.of("mosquitto " + version, (address, topic) -> exchange(version, address, topic)));
        }
        return clients.stream();
    }

    @ParameterizedTest(name = "{0} over {1}")
    @MethodSource("clientsAndKinds")
    void aClientReceivesWhatItPublishes(Exchange client, ListenerKind kind) throws Exception {
        double before = broker.count("heddle.listener.opened", "kind", kind.tag());

        client.over(ListenerAddress.of(broker, kind, tls), "kinds/" + UUID.randomUUID());

        assertThat(broker.count("heddle.listener.opened", "kind", kind.tag())).isGreaterThan(before);
        assertThat(broker.count("heddle.transport.faults")).isZero();
    }

    private static void exchange(Library library, ListenerAddress address, String topic) throws Exception {
        String payload = "x".repeat(LARGE);
        try (LibraryClient client = library.client(address, Library.newClientId())) {
            client.connect(Connecting.clean());
            client.subscribe(topic, 2);
            client.publish(topic, payload, 2);

            Soon.until(() -> !client.received().isEmpty());
            assertThat(client.payloads()).containsExactly(payload);
            client.disconnect();
        }
    }

    private static void exchange(String version, ListenerAddress address, String topic) throws Exception {
        for (String program : List.of("mosquitto_pub", "mosquitto_sub")) {
            assumeTrue(
                    OtherProgram.isOnPath(program), program + " is not on the PATH: apt-get install mosquitto-clients");
        }
        List<String> options = new ArrayList<>(List.of(
                "-h",
                ListenerAddress.HOST,
                "-p",
                Integer.toString(address.port()),
                "-V",
                version,
                "-q",
                "2",
                "-t",
                topic));
        if (address.kind().isEncrypted()) {
            options.addAll(List.of("--cafile", address.trial().authorityFile().toString()));
        }
        if (address.kind().isWebSocket()) {
            assumeTrue(
                    OtherProgram.run("mosquitto_pub", "--help").output().contains("--ws"),
                    "this mosquitto_pub is built without WebSocket, as that of Debian 12");
            options.add("--ws");
        }
        String payload = "y".repeat(LARGE);
        Path message = Files.writeString(directory.resolve("message"), payload, UTF_8);

        assertSucceeds(mosquitto("mosquitto_pub", options, "-r", "-f", message.toString()));
        OtherProgram.Ended received = mosquitto("mosquitto_sub", options, "-C", "1", "-W", "60");
        assertSucceeds(mosquitto("mosquitto_pub", options, "-r", "-n"));

        assertSucceeds(received);
        assertThat(received.output()).isEqualTo(payload + "\n");
    }

    private static OtherProgram.Ended mosquitto(String program, List<String> options, String... further)
            throws Exception {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(options);
        command.addAll(List.of(further));
        return OtherProgram.run(command.toArray(String[]::new));
    }

    private static void assertSucceeds(OtherProgram.Ended ended) {
        assertThat(ended.status()).as(ended.output()).isZero();
    }
}

package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.heddle.app.HiveMqGoodbye;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands {@code backup} and {@code restore} with the bundled servers. {@code RestoreIT} shows what is restored. */
@OwnProcesses(because = "the commands of the launcher are under test")
@Tag("ci")
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class BackupCommandIT {
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(60);
    private static final String TOPIC = "backup/retained";

    private static Ended run(String command, Path file, Path dataDirectory) throws Exception {
        return Distribution.run("", command, file.toString(), "--data-dir", dataDirectory.toString());
    }

    private static void assertSucceeded(Ended command) {
        assertThat(command.errors()).isEmpty();
        assertThat(command.status()).isZero();
    }

    private static Mqtt5BlockingClient client(BrokerProcess broker) {
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .serverHost("127.0.0.1")
                .serverPort(broker.mqttPort())
                .buildBlocking();
        client.connect();
        return client;
    }

    @Test
    void aBackupIsRestoredIntoANewDataDirectory(@TempDir Path directory) throws Exception {
        Path data = directory.resolve("data");
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        try (BrokerProcess broker = BrokerProcess.start(data).awaitReady()) {
            Mqtt5BlockingClient publisher = client(broker);
            publisher
                    .publishWith()
                    .topic(TOPIC)
                    .payload("kept".getBytes(UTF_8))
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .retain(true)
                    .send();
            HiveMqGoodbye.disconnect(publisher);
            assertSucceeded(run("backup", first, data));
            assertThat(run("restore", first, data).onlySentence()).contains("these nodes are alive");
            broker.terminate();
            broker.awaitEnd(STOPS_WITHIN);
        }
        assertSucceeded(run("backup", second, data));
        ProcessTable.assertNothingRunsOn(data);

        Path fresh = directory.resolve("fresh");
        Ended restore = run("restore", second, fresh);
        assertSucceeded(restore);
        assertThat(restore.output()).contains("PostgreSQL: restored", "heddle.retained: 1 records restored");
        ProcessTable.assertNothingRunsOn(fresh);
        try (BrokerProcess broker = BrokerProcess.start(fresh).awaitReady()) {
            assertThat(broker.administratorPassword())
                    .as("a password of a new administrator")
                    .isEmpty();
            Mqtt5BlockingClient subscriber = client(broker);
            try (Mqtt5BlockingClient.Mqtt5Publishes messages = subscriber.publishes(MqttGlobalPublishFilter.ALL)) {
                subscriber.subscribeWith().topicFilter(TOPIC).send();
                Optional<Mqtt5Publish> message = messages.receive(60, TimeUnit.SECONDS);
                assertThat(message).isPresent();
                assertThat(message.get().getPayloadAsBytes()).isEqualTo("kept".getBytes(UTF_8));
            }
            HiveMqGoodbye.disconnect(subscriber);
        }
    }

    @Test
    void wrongCallsChangeNothing(@TempDir Path directory) throws Exception {
        Path mistyped = directory.resolve("mistyped");
        Path file = directory.resolve("file");
        assertThat(run("backup", file, mistyped).onlySentence()).contains("no broker has kept its data in " + mistyped);

        Path text = Files.writeString(directory.resolve("text"), "no backup");
        assertThat(run("restore", text, mistyped).onlySentence()).contains("is not a backup");
        assertThat(run("restore", directory.resolve("missing"), mistyped).onlySentence())
                .contains("cannot be read");
        assertThat(run("backup", text, mistyped).onlySentence()).contains("exists already");

        Path folder = directory.resolve("no/folder");
        Ended toMissingFolder = Distribution.run(
                "",
                "backup",
                "--data-dir",
                mistyped.toString(),
                folder.resolve("file").toString());
        assertThat(toMissingFolder.onlySentence()).contains("there is no folder " + folder + ": create it");

        Ended withoutFile = Distribution.run("", "backup", "--data-dir", mistyped.toString());
        assertThat(withoutFile.status()).isEqualTo(2);
        assertThat(withoutFile.errors()).startsWith("Name a file");
        Ended help = Distribution.run("", "restore", "--help");
        assertThat(help.status()).isZero();
        assertThat(help.output()).startsWith("Usage: ./heddle backup FILE");

        assertThat(directory).isDirectoryContaining(path -> path.equals(text));
        assertThat(mistyped).doesNotExist();
        assertThat(file).doesNotExist();
    }
}

package io.heddle.app.launcher;

import static com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD;
import static com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.app.e2e.SaslMechanism;
import io.heddle.persistence.scram.ScramAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code credentials}, on a data directory without and with a running broker. */
@OwnProcesses(because = "the launcher is under test")
@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class CredentialsCommandIT {
    private static final String PASSWORD = "correct horse, battery: staple ä";
    private static final String CONTROL_C = "\u0003";

    /** Matches the output of stty if the terminal echoes: the word without a dash. */
    private static final Pattern ECHOING = Pattern.compile("[ ;]echo[ ;]");

    private static final String BEFORE = "stored-before";

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private static Path dataDirectory;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerProcess broker;

    /** Stores credentials first, since a broker on a public address refuses to start without any. */
    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void storeWithoutBrokerAndThenStartIt() throws Exception {
        String nothing = "no broker has kept its data in " + dataDirectory;
        assertThat(credentials("", "list").onlySentence()).contains(nothing);
        assertThat(credentials("", "remove", "--username", BEFORE).onlySentence())
                .contains(nothing);
        assertThat(dataDirectory).isEmptyDirectory();

        assertAnswer(add("gone-again", "device"), "Stored for user gone-again, type device");
        assertAnswer(
                credentials("", "remove", "--username", "gone-again"), "Removed the credentials of user gone-again");
        Path halfWrong = Files.writeString(
                Files.createTempFile("heddle-", ".csv"), "userName,type,password\ngood,device,a\nbad,dev,b\n");
        for (int attempt = 1; attempt <= 2; attempt++) {
            Ended ended = credentials("", "import", "--if-empty", halfWrong.toString());
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.output()).isEmpty();
            assertThat(ended.errors())
                    .startsWith("line 3: The type is neither DEVICE nor APPLICATION.\nNothing was stored: correct");
        }
        Files.delete(halfWrong);
        Ended none = credentials("", "list");
        assertThat(none.status()).isZero();
        assertThat(none.output()).isEmpty();
        assertThat(none.errors()).isEqualTo("No credentials are stored\n");
        assertAnswer(add(BEFORE, "device"), "Stored for user " + BEFORE + ", type device");
        assertThat(list()).containsExactly("device\t*\t" + BEFORE);
        ProcessTable.assertNothingRunsOn(dataDirectory);

        broker = BrokerProcess.start(
                        dataDirectory, "--bind", "0.0.0.0", "--heddle.authentication.methods=password,scram")
                .awaitReady();
    }

    @AfterAll
    void stop() throws Exception {
        broker.close();
        assertThat(list()).contains("device\t*\t" + BEFORE);
        ProcessTable.assertNothingRunsOn(dataDirectory);
    }

    private static Ended credentials(String input, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("credentials"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--data-dir", dataDirectory.toString()));
        return Distribution.run(input, all.toArray(String[]::new));
    }

    private static Ended add(String userName, String type) throws Exception {
        return credentials(PASSWORD + "\n", "add", "--username", userName, "--type", type);
    }

    private static List<String> list() throws Exception {
        Ended list = credentials("", "list");
        assertThat(list.status()).as(list.errors()).isZero();
        assertThat(list.errors()).isEmpty();
        return list.output().lines().toList();
    }

    private static void assertAnswer(Ended ended, String answer) {
        assertThat(ended.errors())
                .as(() -> "errors, with the log of PostgreSQL:\n" + postgresqlLog())
                .isEmpty();
        assertThat(ended.output()).isEqualTo(answer + "\n");
        assertThat(ended.status()).isZero();
    }

    private static String postgresqlLog() {
        try {
            return Files.readString(dataDirectory.resolve("log/postgresql-0.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void assertWrongArguments(String input, String named, String... arguments) throws Exception {
        Ended ended = credentials(input, arguments);
        assertThat(ended.status()).as(ended.errors()).isEqualTo(2);
        assertThat(ended.errors().lines().findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains(named));
        assertThat(ended.output()).isEmpty();
    }

    @Test
    void theSettingsOfTheBrokerAreRead(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("application.yaml"), "heddle.standalone.data-dir: " + dataDirectory + "\n");
        try (BrokerProcess list =
                BrokerProcess.start(Distribution.call(Distribution.LAUNCHER, List.of("credentials", "list"))
                        .directory(folder.toFile()))) {
            assertThat(list.awaitEnd(Duration.ofMinutes(2)).output()).contains("device\t*\t" + BEFORE + "\n");
        }

        Files.writeString(
                folder.resolve("application.yaml"), "heddle.postgres.url: jdbc:postgresql://127.0.0.1:1/heddle\n");
        try (BrokerProcess list =
                BrokerProcess.start(Distribution.call(Distribution.LAUNCHER, List.of("credentials", "list"))
                        .directory(folder.toFile()))) {
            assertThat(list.awaitEnd(Duration.ofMinutes(2)).onlySentence())
                    .startsWith("Nothing was changed: ")
                    .contains("127.0.0.1:1", "heddle.postgres.url");
        }

        Path file = Files.createFile(folder.resolve("file"));
        assertThat(Distribution.run("", "credentials", "list", "--data-dir", file.toString())
                        .onlySentence())
                .contains(file + " is a file");
        assertThat(Distribution.run("", "credentials", "list", "--heddle.postgres.url", "nonsense")
                        .onlySentence())
                .contains("heddle.postgres.url");
    }

    @Test
    void credentialsStoredWhileTheBrokerRunsWorkAtOnceUntilTheyAreRemoved() throws Exception {
        assertAnswer(
                credentials(PASSWORD, "add", "--client-id", "billing", "--type", "application"),
                "Stored for client billing, type application");
        assertThat(list()).contains("application\tbilling\t*");
        assertThat(Visitor.client("billing", PASSWORD).connect(broker.mqttPort()))
                .isEqualTo(SUCCESS);
        assertThat(Visitor.client("billing", "wrong").connect(broker.mqttPort()))
                .isEqualTo(BAD_USER_NAME_OR_PASSWORD);

        assertAnswer(credentials("", "remove", "--client-id", "billing"), "Removed the credentials of client billing");
        assertThat(list()).doesNotContain("application\tbilling\t*");
        assertThat(Visitor.client("billing", PASSWORD).connect(broker.mqttPort()))
                .isEqualTo(BAD_USER_NAME_OR_PASSWORD);
    }

    @Test
    void aPasswordCanBeStoredForScram() throws Exception {
        assertAnswer(
                credentials(PASSWORD + "\n", "add", "--username", "scrammer", "--scram", "sha-256"),
                "Stored for user scrammer, type device");

        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .serverHost("127.0.0.1")
                .serverPort(broker.mqttPort())
                .enhancedAuth(SaslMechanism.scram(ScramAlgorithm.SHA_256, "scrammer", () -> PASSWORD))
                .buildBlocking();
        assertThat(client.connect().getReasonCode()).isEqualTo(SUCCESS);
        HiveMqGoodbye.disconnect(client);
    }

    /** Redirects the output to a pipe; the command still has a terminal. */
    @Test
    void aPasswordTypedAtATerminalIsNotShown() throws Exception {
        try (Terminal terminal = Terminal.running(launcher("add", "--username", "typist") + " | cat; stty -a")) {
            terminal.awaitShown("Password: ");
            terminal.type(PASSWORD + "\n");
            terminal.awaitShown("Again: ");
            terminal.type(PASSWORD + "\n");

            assertThat(terminal.awaitEnd())
                    .doesNotContain("correct horse")
                    .contains("Stored for user typist, type device")
                    .containsPattern(ECHOING);
        }
        assertThat(list()).contains("device\t*\ttypist");
    }

    @Test
    void anInterruptedPasswordPromptRestoresTheEchoOfTheTerminal() throws Exception {
        try (Terminal terminal =
                Terminal.running("trap : INT; " + launcher("add", "--username", "typist-2") + "; stty -a")) {
            terminal.awaitShown("Password: ");
            terminal.type("half of it");
            terminal.type(CONTROL_C);

            assertThat(terminal.awaitEnd()).doesNotContain("half of it").containsPattern(ECHOING);
        }
        assertThat(list()).doesNotContain("device\t*\ttypist-2");
    }

    private static String launcher(String... arguments) {
        return "'" + Distribution.LAUNCHER + "' credentials " + String.join(" ", arguments) + " --data-dir '"
                + dataDirectory + "'";
    }

    @Test
    void wrongArgumentsAreNamedWithExitStatusTwo() throws Exception {
        assertWrongArguments(PASSWORD, "--password", "add", "--username", "x", "--password", "y");
        assertWrongArguments(PASSWORD, "--type", "add", "--username", "x", "--type", "robot");
        assertWrongArguments(PASSWORD, "--scram", "add", "--username", "x", "--scram", "sha-1");
        assertWrongArguments(PASSWORD, "--client-id, --username", "add");
        assertWrongArguments("", "--client-id, --username", "remove");
        assertWrongArguments("", "change", "change");
        assertWrongArguments(PASSWORD, "--username is empty", "add", "--username", "");
        assertWrongArguments(PASSWORD, "--client-id is empty", "add", "--client-id", " ", "--username", "x");
        assertWrongArguments(PASSWORD, "--username contains a control character", "add", "--username", "x\ty");
        assertWrongArguments(PASSWORD, "--client-id is longer than", "add", "--client-id", "x".repeat(70_000));
        assertThat(list()).doesNotContain("device\t*\tx");
    }

    @Test
    void withoutASubcommandTheUsageIsShownWithExitStatusTwo() throws Exception {
        Ended ended = Distribution.run("", "credentials");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output()).isEmpty();
        assertThat(ended.errors())
                .contains(
                        "Say what to do: add, import, list or remove",
                        "Usage: heddle credentials",
                        "(add | import | list | remove)");
    }

    @Test
    void importedCredentialsWorkAndWrongLinesAreReported(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("devices.csv"),
                "userName,type,password\nimported,device,\"" + PASSWORD + "\"\n,device,\"" + PASSWORD + "\"\n");

        Ended ended = credentials("", "import", file.toString());

        assertThat(ended.output()).isEqualTo("Stored: 1, rejected: 1\n");
        assertThat(ended.errors()).contains("line 3: It has neither a client id nor a user name.");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(Visitor.user("imported", PASSWORD).connect(broker.mqttPort()))
                .isEqualTo(SUCCESS);
        assertAnswer(credentials("", "remove", "--username", "imported"), "Removed the credentials of user imported");
        assertThat(credentials("", "import", file + ".missing").onlySentence()).contains("does not exist");
    }

    @Test
    void importIfEmptyLeavesStoredCredentialsAlone(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("first.csv"), "userName,password\nsecond-start,secret\n");

        assertAnswer(
                credentials("", "import", "--if-empty", file.toString()),
                "Credentials are stored already; nothing is imported");
        assertThat(Visitor.user("second-start", "secret").connect(broker.mqttPort()))
                .isNotEqualTo(SUCCESS);
    }

    @Test
    void failuresAreReportedWithExitStatusOne() throws Exception {
        assertThat(credentials("", "add", "--username", "x").onlySentence()).contains("password must not be empty");
        assertThat(credentials("one\ntwo\n", "add", "--username", "x").onlySentence())
                .contains("standard input has more than one line");
        assertThat(credentials("x".repeat(70_000), "add", "--username", "x").onlySentence())
                .contains("the password is longer than the 65535 bytes");
        assertThat(credentials("", "remove", "--username", "nobody").onlySentence())
                .contains("user nobody", "./heddle credentials list");
    }
}

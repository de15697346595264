package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The administrator's password: its announcement, and its reset on the command line with and without a running broker. */
@OwnProcesses(because = "the launcher is under test")
@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class AdministratorPasswordIT {
    private static final Duration FIRST_START_WITHIN = Duration.ofSeconds(90);
    private static final Pattern ANNOUNCED = Pattern.compile("admin, password (\\S+) \\(shown only now\\)");

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private static Path dataDirectory;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerProcess broker;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private String password;

    /** Starts twice, since the output of the first start cannot be written. */
    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void startWithoutAndThenWithOutput() throws Exception {
        assertThat(reset("", "--generate").onlySentence()).contains("no broker has kept its data in " + dataDirectory);
        assertThat(dataDirectory).isEmptyDirectory();

        try (BrokerProcess unheard = BrokerProcess.start(toFullDisk(BrokerProcess.onFreePorts(dataDirectory)))) {
            assertThat(unheard.awaitEnd(FIRST_START_WITHIN).onlySentence())
                    .startsWith("Heddle cannot start: standard output cannot be written");
        }
        ProcessTable.assertNothingRunsOn(dataDirectory);

        broker = BrokerProcess.start(dataDirectory).awaitReady();
        Matcher announced = ANNOUNCED.matcher(broker.announced("administrator"));
        assertThat(announced.matches()).isTrue();
        password = announced.group(1);
    }

    @AfterAll
    void stop() {
        broker.close();
        ProcessTable.assertNothingRunsOn(dataDirectory);
    }

    private static ProcessBuilder toFullDisk(List<String> arguments) {
        ProcessBuilder call = Distribution.call(Path.of("sh"), List.of("-c", "exec \"$0\" \"$@\" >/dev/full"));
        call.command().add(Distribution.LAUNCHER.toString());
        call.command().addAll(arguments);
        return call;
    }

    private static Ended reset(String input, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("admin", "reset-password"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--data-dir", dataDirectory.toString()));
        return Distribution.run(input, arguments.toArray(String[]::new));
    }

    private int statusFor(String shown) throws IOException, InterruptedException {
        String credentials = Base64.getEncoder().encodeToString(("admin:" + shown).getBytes(UTF_8));
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + broker.httpPort() + "/api/v1/node"))
                    .header("Authorization", "Basic " + credentials)
                    .timeout(Duration.ofSeconds(20))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void aNewPasswordReplacesTheOldOneAtOnceEvenIfItWasJustVerified() throws Exception {
        assertThat(statusFor(password)).isEqualTo(200);

        Ended entered = reset("another, with ä\n");
        assertThat(entered.errors()).isEmpty();
        assertThat(entered.output()).isEqualTo("Changed the password of administrator admin\n");
        assertThat(entered.status()).isZero();
        assertThat(statusFor(password)).isEqualTo(401);
        assertThat(statusFor("another, with ä")).isEqualTo(200);

        Ended generated = reset("", "--username", "admin", "--generate");
        assertThat(generated.status()).as(generated.errors()).isZero();
        Matcher drawn = Pattern.compile("Password: (\\S{16,})\nChanged the password of administrator admin\n")
                .matcher(generated.output());
        assertThat(drawn.matches()).as(generated.output()).isTrue();
        assertThat(statusFor("another, with ä")).isEqualTo(401);
        password = drawn.group(1);
        assertThat(statusFor(password)).isEqualTo(200);
    }

    @Test
    void aGeneratedPasswordThatCannotBePrintedIsNotStored() throws Exception {
        try (BrokerProcess command = BrokerProcess.start(
                toFullDisk(List.of("admin", "reset-password", "--generate", "--data-dir", dataDirectory.toString())))) {
            assertThat(command.awaitEnd(FIRST_START_WITHIN).onlySentence())
                    .contains("standard output cannot be written");
        }

        assertThat(statusFor(password)).isEqualTo(200);
    }

    @Test
    void failuresAreReported() throws Exception {
        assertThat(reset("another, with ä\n", "--username", "nobody").onlySentence())
                .contains("there is no administrator nobody");
        assertThat(reset("\n").onlySentence()).contains("must not be empty");
        assertThat(reset("secret\n").onlySentence()).contains("too weak", "12 to 1024 characters");
        assertThat(reset("", "--password", "x").status()).isEqualTo(2);
    }

    @Test
    void helpThatCannotBePrintedIsAFailure() throws Exception {
        try (BrokerProcess help = BrokerProcess.start(toFullDisk(List.of("--help")))) {
            assertThat(help.awaitEnd(FIRST_START_WITHIN).onlySentence()).contains("standard output cannot be written");
        }
    }
}

package io.heddle.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.standalone.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TERM at several moments of a start: all processes stop cleanly, and the next start can use the data. */
@OwnProcesses(because = "SIGTERM stops a process while it starts")
@Tag("ci")
@Tag("alone")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class StoppedStartIT {
    private static final Duration REACHED_WITHIN = Duration.ofSeconds(60);
    private static final Duration STOPPED_WITHIN = Duration.ofSeconds(10);
    private static final int AFTER_TERM = 143;

    private record Moment(String name, Predicate<BrokerProcess> isNow) {}

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    private int logBefore;

    /** The first three moments belong to a first start: without a database, the directory counts as empty. */
    @Test
    void aStartThatIsStoppedLeavesNoProcessAndUsableData() throws Exception {
        List<Moment> moments = List.of(
                new Moment("the directory is locked", _ -> Files.exists(data("lock"))),
                new Moment("the database is being made", _ -> runs("/initdb")),
                new Moment(
                        "the first child is there",
                        broker -> ProcessTable.child(broker, Server.REDIS).isPresent()),
                new Moment(
                        "Kafka begins",
                        broker -> ProcessTable.child(broker, Server.KAFKA).isPresent()),
                new Moment(
                        "PostgreSQL is there",
                        broker -> ProcessTable.child(broker, Server.POSTGRESQL).isPresent()),
                new Moment(
                        "all but Kafka answer",
                        _ -> newLog().contains("PostgreSQL is ready") && newLog().contains("Redis is ready")));

        for (Moment moment : moments) {
            stopAt(moment);
        }

        try (BrokerProcess broker = BrokerProcess.start(data("")).awaitReady()) {
            Visitor.anonymous().exchangeAMessage(broker.mqttPort());
        }
        ProcessTable.assertNothingRunsOn(directory);
        assertThat(text(data("log/heddle.log"))).doesNotContain("of an earlier broker is still running");
        assertThat(text(data("log/postgresql-0.log"))).doesNotContain("not properly shut down");
    }

    private void stopAt(Moment moment) throws Exception {
        logBefore = text(data("log/heddle.log")).length();
        try (BrokerProcess broker = BrokerProcess.start(data(""))) {
            await(moment.name())
                    .atMost(REACHED_WITHIN)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> !broker.isAlive() || moment.isNow().test(broker));
            broker.terminate();
            Ended ended = broker.awaitEnd(STOPPED_WITHIN);

            System.out.printf("stopped after %.1f s, when %s%n", ended.took().toMillis() / 1e3, moment.name());
            assertThat(ended.status()).as(moment.name() + ended.errors()).isEqualTo(AFTER_TERM);
            assertThat(ended.output() + ended.errors()).as(moment.name()).isEmpty();
            assertThat(ProcessTable.naming(directory)).as(moment.name()).isEmpty();
        }
    }

    private Path data(String file) {
        return directory.resolve("data").resolve(file);
    }

    private boolean runs(String program) {
        return ProcessTable.naming(directory).stream()
                .anyMatch(process -> process.words().getFirst().endsWith(program));
    }

    private String newLog() {
        return text(data("log/heddle.log")).substring(logBefore);
    }

    /** Returns the file's text; empty if there is no file. */
    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

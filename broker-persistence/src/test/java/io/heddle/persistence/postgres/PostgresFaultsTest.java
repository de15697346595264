package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.TestSettings;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresFaultsTest {
    @ParameterizedTest
    @ValueSource(strings = {"08001", "08006", "53300", "57P01", "57P03", "57014", "25006"})
    void aFaultOfTheConnectionOrTheServerIsUnavailability(String state) {
        SQLException fault = new SQLException("away", state);

        assertThat(PostgresFaults.inService("count", fault))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("count")
                .hasCause(fault);
    }

    @Test
    void noFreeConnectionIsUnavailability() {
        assertThat(PostgresFaults.inService("count", new SQLTransientConnectionException("timeout")))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void anInterruptedWaitForAConnectionIsUnavailability() {
        assertThat(PostgresFaults.inService("count", new SQLException("interrupted", new InterruptedException())))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"42601", "23505", "22021"})
    void aRejectedStatementIsABugWithItsSqlState(String state) {
        SQLException fault = new SQLException("no", state);

        assertThat(PostgresFaults.inService("count", fault)).isInstanceOfSatisfying(PostgresException.class, bug -> {
            assertThat(bug.sqlState()).isEqualTo(state);
            assertThat(bug)
                    .hasMessageContaining(state)
                    .hasMessageContaining("count")
                    .hasCause(fault);
        });
    }

    @Test
    void anUnknownHostIsNamedAtStart() {
        PostgresSettings settings = TestSettings.postgres("jdbc:postgresql://nowhere/heddle", "heddle", "");
        SQLException fault =
                new SQLException("The connection attempt failed.", "08001", new UnknownHostException("nowhere"));

        assertThat(PostgresFaults.atStart(settings, fault))
                .message()
                .contains("unknown host nowhere", "heddle.postgres.url");
    }

    @Test
    void tooManyConnectionsNameBothSettings() {
        PostgresSettings settings = TestSettings.postgres("jdbc:postgresql://db/heddle", "heddle", "");

        assertThat(PostgresFaults.atStart(settings, new SQLException("too many", "53300")))
                .message()
                .contains("max_connections", "heddle.postgres.pool-size");
        assertThat(PostgresFaults.atStart(settings, new SQLException("starting up", "57P03")))
                .message()
                .contains("not ready yet");
    }

    @Test
    void aMissingPasswordIsNotReportedAsAnUnreachableServer() {
        PostgresSettings settings = TestSettings.postgres("jdbc:postgresql://db/heddle", "heddle", "");
        SQLException fault = new SQLException("The server requested SCRAM-based authentication", "08004");

        assertThat(PostgresFaults.atStart(settings, fault))
                .message()
                .contains(
                        "requires a password from user 'heddle'",
                        "set heddle.postgres.user and heddle.postgres.password");
    }

    /** Uses the real driver, with a server that answers its SSL request like one without SSL. */
    @Test
    void aServerWithoutSslIsNotReportedAsUnreachable() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.ofVirtual().start(() -> {
                try (Socket visitor = server.accept()) {
                    visitor.getInputStream().readNBytes(8);
                    visitor.getOutputStream().write('N');
                    visitor.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            PostgresSettings settings = TestSettings.postgres(
                    "jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + "/heddle?sslmode=require", "heddle", "");
            SQLException fault = catchThrowableOfType(
                    SQLException.class, () -> settings.dataSource().getConnection());
            answering.join();

            assertThat(PostgresFaults.atStart(settings, fault))
                    .message()
                    .contains("does not support SSL", "heddle.postgres.url", "remove it there, or enable SSL")
                    .doesNotContain("start it", "password");
        }
    }

    @Test
    void aFailedSslHandshakeNamesTheOptions() {
        PostgresSettings settings = TestSettings.postgres("jdbc:postgresql://db/heddle", "heddle", "");

        for (Exception cause : List.of(new SSLException("no trust"), new FileNotFoundException("root.crt"))) {
            assertThat(PostgresFaults.atStart(settings, new SQLException("SSL error", "08006", cause)))
                    .message()
                    .contains(String.valueOf(cause.getMessage()), "correct sslmode, sslrootcert")
                    .doesNotContain("start it");
        }
    }

    @ParameterizedTest
    @CsvSource({"sslmode=foo, verify-full", "sslmode=, verify-full", "targetServerType=foo, primary"})
    void aValueUnknownToTheDriverIsRejectedAtOnce(String option, String choice) {
        assertThatThrownBy(() -> TestSettings.postgres("jdbc:postgresql://db/heddle?" + option, "heddle", ""))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll("heddle.postgres.url has " + option, choice, "correct or remove it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sslmode=VERIFY-FULL", "targetServerType=preferSecondary&ApplicationName=x", "ssl=true"})
    void aValueKnownToTheDriverIsAccepted(String option) {
        assertThatNoException()
                .isThrownBy(() -> TestSettings.postgres("jdbc:postgresql://db/heddle?" + option, "heddle", ""));
    }
}

package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    void whatTheServerRefusesIsABugWithItsState(String state) {
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
        PostgresSettings settings = PostgresSettings.of("jdbc:postgresql://nowhere/heddle", "heddle", "");
        SQLException fault =
                new SQLException("The connection attempt failed.", "08001", new UnknownHostException("nowhere"));

        assertThat(PostgresFaults.atStart(settings, fault))
                .message()
                .contains("unknown host nowhere", "heddle.postgres.url");
    }

    @Test
    void tooManyConnectionsNameBothWaysOut() {
        PostgresSettings settings = PostgresSettings.of("jdbc:postgresql://db/heddle", "heddle", "");

        assertThat(PostgresFaults.atStart(settings, new SQLException("too many", "53300")))
                .message()
                .contains("max_connections", "heddle.postgres.pool-size");
        assertThat(PostgresFaults.atStart(settings, new SQLException("starting up", "57P03")))
                .message()
                .contains("not ready yet");
    }

    @Test
    void aPasswordThatIsMissingIsNotTakenForAServerThatIsNotThere() {
        PostgresSettings settings = PostgresSettings.of("jdbc:postgresql://db/heddle", "heddle", "");
        SQLException fault = new SQLException("The server requested SCRAM-based authentication", "08004");

        assertThat(PostgresFaults.atStart(settings, fault))
                .message()
                .contains(
                        "wants a password from user 'heddle'", "set heddle.postgres.user and heddle.postgres.password");
    }
}

package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.directory.SessionDirectory;
import io.heddle.core.session.directory.SessionEntry;
import io.heddle.core.session.directory.SessionEntry.Subscribed;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.testkit.SessionDirectoryContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresSessionDirectoryIT extends SessionDirectoryContract {
    private final TestDatabase testDatabase = TestDatabase.create();
    private final PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
    private final PostgresSessionDirectory directory = new PostgresSessionDirectory(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE client_session");
    }

    @AfterAll
    void close() {
        database.close();
        testDatabase.close();
    }

    @Override
    protected SessionDirectory directory() {
        return directory;
    }

    @Test
    void theRowIsReadable() {
        directory.put(List.of(entry("pump-1", ""), entry("pump-2", "node-1")));

        assertThat(rows("""
                SELECT client_id || ' ' || coalesce(owner, 'away since ' || (away_since AT TIME ZONE 'UTC')::text)
                       || ' ' || subscription_count || ' ' || subscriptions::text
                  FROM client_session ORDER BY client_id"""))
                .containsExactly(
                        "pump-1 away since 2027-01-15 08:00:00 1 [{\"qos\": 1, \"filter\": \"a/+\", \"noLocal\": false,"
                                + " \"identifier\": 5, \"retainAsPublished\": true}]",
                        "pump-2 node-1 1 [{\"qos\": 1, \"filter\": \"a/+\", \"noLocal\": false,"
                                + " \"identifier\": 5, \"retainAsPublished\": true}]");
        assertThat(rows("SELECT client_id FROM client_session"
                        + " WHERE client_key = sha256(convert_to('pump-1', 'UTF8'))"))
                .containsExactly("pump-1");
    }

    @Test
    void theBeginningOfAnIdIsFoundInAnIndex() {
        directory.put(IntStream.range(0, 1_000)
                .mapToObj(i -> entry("client-" + i, i % 10 == 0 ? "node-1" : ""))
                .toList());
        testDatabase.execute("ANALYZE client_session");

        assertThat(plan("left(client_id, 256) LIKE 'client-77%'")).contains("client_session_client_id");
        assertThat(plan("left(client_id, 256) LIKE 'client-7%' AND owner IS NOT NULL"))
                .contains("client_session_connected");
    }

    @Test
    void aTimedOutWriteDoesNotOverwriteALaterOne() {
        PostgresSettings own = testDatabase.settings();
        PostgresSettings impatient = new PostgresSettings(
                own.url(),
                own.user(),
                own.password(),
                1,
                PostgresSettings.DEFAULT_CONNECT_TIMEOUT,
                Duration.ofSeconds(1));
        directory.put(List.of(entry("pump-1", "node-1")));
        try (PostgresDatabase busy = PostgresDatabase.open(impatient, new SimpleMeterRegistry())) {
            PostgresSessionDirectory given = new PostgresSessionDirectory(() -> busy);
            database.inTransaction("hold up the others", connection -> {
                try (PreparedStatement lock =
                        connection.prepareStatement("LOCK TABLE client_session IN ACCESS EXCLUSIVE MODE")) {
                    lock.execute();
                }
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> given.put(List.of(entry("pump-1", ""), entry("pump-2", ""))));
                return true;
            });
        }

        directory.put(List.of(entry("pump-3", "")));

        assertThat(Objects.requireNonNull(directory.find(new ClientId("pump-1")))
                        .record()
                        .owner())
                .isEqualTo("node-1");
        assertThat(directory.find(new ClientId("pump-2"))).isNull();
        assertThat(directory.find(new ClientId("pump-3"))).isNotNull();
    }

    private String plan(String condition) {
        return String.join(
                "\n",
                rows("EXPLAIN SELECT client_id FROM client_session WHERE " + condition
                        + " ORDER BY left(client_id, 256)"));
    }

    private List<String> rows(String question) {
        return database.call("ask", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(question);
                    ResultSet answer = statement.executeQuery()) {
                List<String> rows = new ArrayList<>();
                while (answer.next()) {
                    rows.add(answer.getString(1));
                }
                return rows;
            }
        });
    }

    private static SessionEntry entry(String clientId, String owner) {
        return new SessionEntry(
                new ClientId(clientId),
                new SessionRecord(42, ClientType.DEVICE, null, 60, owner, 42, owner.isEmpty() ? 1_800_000_000_000L : 0),
                1,
                List.of(new Subscribed("a/+", QoS.AT_LEAST_ONCE, false, true, 5)),
                1);
    }
}

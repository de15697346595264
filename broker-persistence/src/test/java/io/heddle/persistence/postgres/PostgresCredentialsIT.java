package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.authentication.CredentialsQuery;
import io.heddle.core.authentication.CredentialsQuery.Names;
import io.heddle.core.authentication.CredentialsQuery.Order;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.testkit.CredentialsStoreContract;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresCredentialsIT extends CredentialsStoreContract {
    @AutoClose
    private final TestDatabase testDatabase = TestDatabase.create();

    private final PostgresDatabase database = testDatabase.open();
    private final PostgresCredentials store = new PostgresCredentials(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE client_credentials");
    }

    @Override
    protected CredentialsStore store() {
        return store;
    }

    @ParameterizedTest
    @CsvSource({
        "USER_NAME, , client_credentials_names",
        "USER_NAME, DEVICE, client_credentials_names",
        "USER_NAME, APPLICATION, client_credentials_application_user_name",
        "CLIENT_ID, , client_credentials_client_id_order",
        "CLIENT_ID, DEVICE, client_credentials_client_id_order",
        "CLIENT_ID, APPLICATION, client_credentials_application_client_id"
    })
    void eachPageComesFromAnIndexInItsOrder(Order order, @Nullable ClientType type, String index) {
        testDatabase.execute("""
                INSERT INTO client_credentials (id, client_id, user_name, client_type, password_hash)
                SELECT gen_random_uuid(), 'client-' || n, 'user-' || n,
                       CASE WHEN n % 10 = 0 THEN 'APPLICATION' ELSE 'DEVICE' END, 'hash'
                  FROM generate_series(1, 20000) n""");
        testDatabase.execute("ANALYZE client_credentials");
        Names last = new Names("client-5", "user-5");

        for (boolean isDescending : List.of(false, true)) {
            for (@Nullable Names after : Arrays.asList(null, last)) {
                for (@Nullable String prefix : Arrays.asList(null, order == Order.USER_NAME ? "user-" : "client-")) {
                    List<String> plans =
                            CredentialsPages.steps(new CredentialsQuery(order, isDescending, prefix, type, after, 11))
                                    .stream()
                                    .map(this::plan)
                                    .toList();
                    assertThat(plans)
                            .isNotEmpty()
                            .allSatisfy(plan -> assertThat(plan).doesNotContain("Seq Scan"));
                    // The step with the following names; the others have few rows.
                    assertThat(plans)
                            .anySatisfy(plan ->
                                    assertThat(plan).contains("using " + index).doesNotContain("Sort"));
                }
            }
        }
    }

    private String plan(CredentialsPages.Step step) {
        List<Object> values = new ArrayList<>(step.values());
        values.add(11);
        return TestDatabase.plan(database, step.sql(), values);
    }

    @Test
    void theLongestNamesFitAndLongerOnesAreRejected() {
        String longest = "ä".repeat(512);
        StoredCredentials fits = credentials(longest, longest);
        store.put(fits);

        assertThat(store.find(new ClientId(longest), longest)).isEqualTo(fits);
        assertThatThrownBy(() -> store.put(credentials(longest + "x", null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("client id");
        assertThatThrownBy(() -> store.put(credentials("short", longest + "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("user name");
        assertThat(store.find(new ClientId("x".repeat(65_535)), "x".repeat(65_535)))
                .isNull();
    }

    @Test
    void credentialsOfOtherNamesWithAUsedIdAreRejected() {
        StoredCredentials first = credentials("one", null);
        store.put(first);

        assertThatThrownBy(() -> store.put(
                        new StoredCredentials(first.id(), new ClientId("two"), null, ClientType.DEVICE, "hash")))
                .isInstanceOfSatisfying(
                        PostgresException.class,
                        bug -> assertThat(bug.sqlState()).isEqualTo("23505"));
        assertThat(store.list(0, 10)).containsExactly(first);
    }

    private static StoredCredentials credentials(String clientId, @Nullable String userName) {
        return new StoredCredentials(UUID.randomUUID(), new ClientId(clientId), userName, ClientType.DEVICE, "hash");
    }
}

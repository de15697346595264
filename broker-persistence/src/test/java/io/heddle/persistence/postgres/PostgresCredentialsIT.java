package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.testkit.CredentialsStoreContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresCredentialsIT extends CredentialsStoreContract {
    private final TestDatabase testDatabase = TestDatabase.create();
    private final PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
    private final PostgresCredentials store = new PostgresCredentials(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE client_credentials");
    }

    @AfterAll
    void close() {
        database.close();
        testDatabase.close();
    }

    @Override
    protected CredentialsStore store() {
        return store;
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

package io.heddle.persistence.postgres;

import io.heddle.core.authentication.blocked.BlockedClientStore;
import io.heddle.core.testkit.BlockedClientStoreContract;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresBlockedClientsIT extends BlockedClientStoreContract {
    @AutoClose
    private final TestDatabase testDatabase = TestDatabase.create();

    private final PostgresDatabase database = testDatabase.open();
    private final PostgresBlockedClients blocked = new PostgresBlockedClients(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE blocked_client");
    }

    @Override
    protected BlockedClientStore store() {
        return blocked;
    }

    @Override
    protected void fill(int entries) {
        testDatabase.execute(
                "INSERT INTO blocked_client SELECT gen_random_uuid(), 'USER_NAME', gen_random_uuid()::text,"
                        + " 'spam', NULL, 'ada', now() FROM generate_series(1, " + entries + ")");
    }
}

package io.heddle.persistence.postgres;

import io.heddle.core.administration.AdminSessions;
import io.heddle.core.testkit.AdminSessionsContract;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresAdminSessionsIT extends AdminSessionsContract {
    @AutoClose
    private final TestDatabase testDatabase = TestDatabase.create();

    private final PostgresDatabase database = testDatabase.open();
    private final PostgresAdminSessions sessions = new PostgresAdminSessions(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE admin_session");
    }

    @Override
    protected AdminSessions sessions() {
        return sessions;
    }
}

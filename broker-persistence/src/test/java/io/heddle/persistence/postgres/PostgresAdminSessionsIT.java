package io.heddle.persistence.postgres;

import io.heddle.core.administration.AdminSessions;
import io.heddle.core.testkit.AdminSessionsContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresAdminSessionsIT extends AdminSessionsContract {
    private final TestDatabase testDatabase = TestDatabase.create();
    private final PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
    private final PostgresAdminSessions sessions = new PostgresAdminSessions(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE admin_session");
    }

    @AfterAll
    void close() {
        database.close();
        testDatabase.close();
    }

    @Override
    protected AdminSessions sessions() {
        return sessions;
    }
}

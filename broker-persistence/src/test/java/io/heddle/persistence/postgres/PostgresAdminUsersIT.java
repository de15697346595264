package io.heddle.persistence.postgres;

import io.heddle.core.administration.AdminUsers;
import io.heddle.core.testkit.AdminUsersContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresAdminUsersIT extends AdminUsersContract {
    private final TestDatabase testDatabase = TestDatabase.create();
    private final PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
    private final PostgresAdminUsers users = new PostgresAdminUsers(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE admin_user");
    }

    @AfterAll
    void close() {
        database.close();
        testDatabase.close();
    }

    @Override
    protected AdminUsers users() {
        return users;
    }
}

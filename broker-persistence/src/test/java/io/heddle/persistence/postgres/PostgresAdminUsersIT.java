package io.heddle.persistence.postgres;

import io.heddle.core.administration.AdminUsers;
import io.heddle.core.testkit.AdminUsersContract;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresAdminUsersIT extends AdminUsersContract {
    @AutoClose
    private final TestDatabase testDatabase = TestDatabase.create();

    private final PostgresDatabase database = testDatabase.open();
    private final PostgresAdminUsers users = new PostgresAdminUsers(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE admin_user");
    }

    @Override
    protected AdminUsers users() {
        return users;
    }
}

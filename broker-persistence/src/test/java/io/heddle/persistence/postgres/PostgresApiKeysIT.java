package io.heddle.persistence.postgres;

import io.heddle.core.administration.ApiKeys;
import io.heddle.core.testkit.ApiKeysContract;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresApiKeysIT extends ApiKeysContract {
    @AutoClose
    private final TestDatabase testDatabase = TestDatabase.create();

    private final PostgresDatabase database = testDatabase.open();
    private final PostgresApiKeys keys = new PostgresApiKeys(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE api_key");
    }

    @Override
    protected ApiKeys keys() {
        return keys;
    }
}

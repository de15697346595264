package io.heddle.persistence.postgres;

import io.heddle.core.administration.ApiKeys;
import io.heddle.core.testkit.ApiKeysContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresApiKeysIT extends ApiKeysContract {
    private final TestDatabase testDatabase = TestDatabase.create();
    private final PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
    private final PostgresApiKeys keys = new PostgresApiKeys(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE api_key");
    }

    @AfterAll
    void close() {
        database.close();
        testDatabase.close();
    }

    @Override
    protected ApiKeys keys() {
        return keys;
    }
}

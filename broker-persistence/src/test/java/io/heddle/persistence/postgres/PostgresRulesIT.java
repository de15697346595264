package io.heddle.persistence.postgres;

import io.heddle.core.authorization.RuleStore;
import io.heddle.core.testkit.RuleStoreContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresRulesIT extends RuleStoreContract {
    private final TestDatabase testDatabase = TestDatabase.create();
    private final PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
    private final PostgresRules rules = new PostgresRules(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE topic_rules");
    }

    @AfterAll
    void close() {
        database.close();
        testDatabase.close();
    }

    @Override
    protected RuleStore store() {
        return rules;
    }
}

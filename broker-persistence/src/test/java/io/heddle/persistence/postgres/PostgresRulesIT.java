package io.heddle.persistence.postgres;

import io.heddle.core.authorization.RuleStore;
import io.heddle.core.testkit.RuleStoreContract;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresRulesIT extends RuleStoreContract {
    @AutoClose
    private final TestDatabase testDatabase = TestDatabase.create();

    private final PostgresDatabase database = testDatabase.open();
    private final PostgresRules rules = new PostgresRules(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE topic_rules");
    }

    @Override
    protected RuleStore store() {
        return rules;
    }
}

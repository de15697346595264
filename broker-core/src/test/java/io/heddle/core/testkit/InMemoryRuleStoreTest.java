package io.heddle.core.testkit;

import io.heddle.core.authorization.RuleStore;

class InMemoryRuleStoreTest extends RuleStoreContract {
    private final RuleStore store = new InMemoryRuleStore();

    @Override
    protected RuleStore store() {
        return store;
    }
}

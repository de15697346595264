package io.heddle.core.testkit;

import io.heddle.core.administration.ApiKeys;

class InMemoryApiKeysTest extends ApiKeysContract {
    private final ApiKeys fake = new InMemoryApiKeys();

    @Override
    protected ApiKeys keys() {
        return fake;
    }
}

package io.heddle.core.testkit;

import io.heddle.core.authentication.CredentialsStore;

class InMemoryCredentialsStoreTest extends CredentialsStoreContract {
    private final CredentialsStore fake = new InMemoryCredentialsStore();

    @Override
    protected CredentialsStore store() {
        return fake;
    }
}

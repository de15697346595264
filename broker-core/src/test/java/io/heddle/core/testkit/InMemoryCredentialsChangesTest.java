package io.heddle.core.testkit;

import io.heddle.core.authentication.CredentialsChanges;
import io.heddle.core.authentication.CredentialsStore;

class InMemoryCredentialsChangesTest extends CredentialsChangesContract {
    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();

    @Override
    protected CredentialsStore store() {
        return store;
    }

    @Override
    protected CredentialsChanges changes() {
        return store.changes();
    }
}

package io.heddle.core.testkit;

import io.heddle.core.authentication.CredentialsChanges;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import java.time.Instant;

class InMemoryCredentialsChangesTest extends CredentialsChangesContract {
    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();
    private final InMemoryBlockedClientStore blocked = new InMemoryBlockedClientStore(store.changes(), Instant::now);

    @Override
    protected CredentialsStore store() {
        return store;
    }

    @Override
    protected BlockedClientStore blocked() {
        return blocked;
    }

    @Override
    protected CredentialsChanges changes() {
        return store.changes();
    }
}

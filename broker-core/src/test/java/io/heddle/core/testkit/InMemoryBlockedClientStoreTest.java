package io.heddle.core.testkit;

import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import java.time.Instant;
import java.util.UUID;

class InMemoryBlockedClientStoreTest extends BlockedClientStoreContract {
    private final InMemoryBlockedClientStore store =
            new InMemoryBlockedClientStore(new InMemoryCredentialsChanges(), Instant::now);

    @Override
    protected BlockedClientStore store() {
        return store;
    }

    @Override
    protected void fill(int entries) {
        for (int i = 0; i < entries; i++) {
            store.put(entry(Kind.USER_NAME, UUID.randomUUID().toString()));
        }
    }
}

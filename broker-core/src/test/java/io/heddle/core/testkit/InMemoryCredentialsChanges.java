package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.CredentialsChanges;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** The changes of an {@link InMemoryCredentialsStore}. Does not wait. */
public final class InMemoryCredentialsChanges implements CredentialsChanges {
    private final Set<UUID> changed = new HashSet<>();
    private boolean isBlockedChanged;
    private boolean hasGap = true;
    private boolean isDown;

    /** Makes the store unavailable, or available again. */
    public synchronized void setDown(boolean down) {
        isDown = down;
    }

    synchronized void add(UUID id) {
        changed.add(id);
    }

    synchronized void addBlocked() {
        isBlockedChanged = true;
    }

    @Override
    public synchronized Changed await(Duration atMost) {
        if (isDown) {
            hasGap = true;
            throw new StoreUnavailableException("PostgreSQL at secret-host", new IllegalStateException("refused"));
        }
        Changed latest = new Changed(hasGap, changed, isBlockedChanged, hasGap ? null : Duration.ZERO);
        hasGap = false;
        isBlockedChanged = false;
        changed.clear();
        return latest;
    }
}

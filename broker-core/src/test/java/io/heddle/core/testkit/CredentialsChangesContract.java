package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.CredentialsChanges;
import io.heddle.core.authentication.CredentialsChanges.Changed;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.authentication.blocked.BlockedClient;
import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of {@link CredentialsChanges}. Each test starts with an empty store. */
public abstract class CredentialsChangesContract {
    /** Returns the store whose changes are told. */
    protected abstract CredentialsStore store();

    /** Returns the entries of blocked clients whose changes are told. */
    protected abstract BlockedClientStore blocked();

    /** Returns the changes under test, which have not been awaited yet; the same throughout a test. */
    protected abstract CredentialsChanges changes();

    @Test
    void theFirstChangesHaveAGapAndLaterOnesHaveNone() {
        assertThat(changes().await(Duration.ofMillis(1)).isGap()).isTrue();
        assertNothingElseIsTold();
    }

    /** Waits until the store has told all changes. */
    private void assertNothingElseIsTold() {
        Duration confirmedAgo = null;
        for (int i = 0; i < 50 && confirmedAgo == null; i++) {
            Changed changed = changes().await(Duration.ofMillis(200));
            assertThat(changed.isGap()).isFalse();
            assertThat(changed.ids()).isEmpty();
            assertThat(changed.isBlockedChanged()).isFalse();
            confirmedAgo = changed.confirmedAgo();
        }
        assertThat(confirmedAgo).isNotNull();
    }

    @Test
    void eachChangeAndRemovalIsTold() {
        StoredCredentials changed = credentials("changed");
        StoredCredentials removed = credentials("removed");
        StoredCredentials removedByName = credentials("removed-by-name");
        StoredCredentials replaced = credentials("replaced");
        StoredCredentials imported = credentials("imported");
        for (StoredCredentials each : List.of(changed, removed, removedByName, replaced, imported)) {
            store().put(each);
        }
        var _ = changes().await(Duration.ofMillis(1));

        store().update(
                        changed,
                        new StoredCredentials(
                                changed.id(), changed.clientId(), null, ClientType.DEVICE, "another hash"));
        store().remove(removed.id());
        store().remove(removedByName.clientId(), null);
        StoredCredentials replacing = credentials("replaced");
        store().put(replacing);
        StoredCredentials importedAgain = credentials("imported");
        store().putAll(List.of(importedAgain), true);

        assertTold(Set.of(
                changed.id(),
                removed.id(),
                removedByName.id(),
                replaced.id(),
                replacing.id(),
                imported.id(),
                importedAgain.id()));
    }

    @Test
    void newCredentialsAreTold() {
        var _ = changes().await(Duration.ofMillis(1));
        StoredCredentials put = credentials("put");
        store().put(put);
        StoredCredentials created = credentials("created");
        store().create(created);
        StoredCredentials present = credentials("put");
        store().create(present);

        assertTold(Set.of(put.id(), created.id()));
    }

    @Test
    void changedEntriesOfBlockedClientsAreTold() {
        var _ = changes().await(Duration.ofMillis(1));
        BlockedClient entry = BlockedClientStoreContract.entry(Kind.CLIENT_ID, "pump");

        blocked().put(entry);
        assertBlockedTold();
        blocked().remove(entry.id());
        assertBlockedTold();
        assertNothingElseIsTold();
    }

    private void assertBlockedTold() {
        Changed changed = new Changed(false, Set.of(), false, null);
        for (int i = 0; i < 50 && !changed.isBlockedChanged(); i++) {
            changed = changes().await(Duration.ofMillis(200));
        }
        assertThat(changed).isEqualTo(new Changed(false, Set.of(), true, changed.confirmedAgo()));
    }

    private void assertTold(Set<UUID> ids) {
        Set<UUID> told = new HashSet<>();
        for (int i = 0; i < 50 && !told.equals(ids); i++) {
            Changed changed = changes().await(Duration.ofMillis(200));
            assertThat(changed.isGap()).isFalse();
            told.addAll(changed.ids());
        }
        assertThat(told).isEqualTo(ids);
    }

    private static StoredCredentials credentials(String clientId) {
        return new StoredCredentials(UUID.randomUUID(), new ClientId(clientId), null, ClientType.DEVICE, "hash");
    }
}

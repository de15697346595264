package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.CredentialsChange;
import io.heddle.core.authentication.CredentialsQuery;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link CredentialsStore}. Each test starts with an empty store. */
public abstract class CredentialsStoreContract {
    private static final ClientId PUMP = new ClientId("pump-1");

    /** Returns the store under test, empty at the start of a test and the same throughout it. */
    protected abstract CredentialsStore store();

    @Test
    void theNamesOfAllAreReadInPages() {
        Set<CredentialsStore.Names> expected = new HashSet<>();
        for (int i = 0; i < 7; i++) {
            StoredCredentials each = new StoredCredentials(
                    UUID.randomUUID(),
                    i % 2 == 0 ? null : new ClientId("client-" + i),
                    i % 4 == 1 ? null : "user-" + i,
                    ClientType.DEVICE,
                    "hash");
            store().put(each);
            expected.add(new CredentialsStore.Names(each.id(), each.clientId(), each.userName()));
        }

        List<CredentialsStore.Names> read = new ArrayList<>(store().names(null, 3));
        assertThat(read).hasSize(3);
        read.addAll(store().names(read.getLast().id(), 3));
        read.addAll(store().names(read.getLast().id(), 3));

        assertThat(read).hasSize(7).hasSameElementsAs(expected);
        assertThat(store().names(read.getLast().id(), 3)).isEmpty();
    }

    @Test
    void findsNothingInAnEmptyStore() {
        assertThat(store().find(PUMP, "alice")).isNull();
        assertThat(store().find(PUMP, null)).isNull();
        assertThat(store().count()).isZero();
        assertThat(store().isEmpty()).isTrue();
        assertThat(store().list(0, 10)).isEmpty();
    }

    @Test
    void findsCredentialsByClientIdOnly() {
        StoredCredentials forPump = put("pump-1", null);

        assertThat(store().find(PUMP, null)).isEqualTo(forPump);
        assertThat(store().find(PUMP, "anybody")).isEqualTo(forPump);
        assertThat(store().find(new ClientId("pump-2"), null)).isNull();
    }

    @Test
    void findsCredentialsByUserNameOnly() {
        StoredCredentials forAlice = put(null, "alice");

        assertThat(store().find(PUMP, "alice")).isEqualTo(forAlice);
        assertThat(store().find(new ClientId("anything"), "alice")).isEqualTo(forAlice);
        assertThat(store().find(PUMP, "bob")).isNull();
        assertThat(store().find(PUMP, null)).isNull();
    }

    @Test
    void credentialsForBothDecideAboutTheClientIdOnly() {
        StoredCredentials forBoth = put("pump-1", "alice");
        StoredCredentials forBob = put(null, "bob");

        assertThat(store().find(PUMP, "alice")).isEqualTo(forBoth);
        assertThat(store().find(PUMP, "bob")).isEqualTo(forBoth);
        assertThat(store().find(PUMP, null)).isEqualTo(forBoth);
        assertThat(store().find(new ClientId("pump-2"), "alice")).isNull();
        assertThat(store().find(new ClientId("pump-2"), "bob")).isEqualTo(forBob);
    }

    @Test
    void credentialsForTheClientIdTakePrecedence() {
        StoredCredentials forPump = put("pump-1", null);
        StoredCredentials forAlice = put(null, "alice");
        StoredCredentials forBoth = put("pump-1", "alice");

        assertThat(store().find(PUMP, "alice")).isEqualTo(forBoth);
        assertThat(store().find(new ClientId("pump-2"), "alice")).isEqualTo(forAlice);
        assertThat(store().find(PUMP, "bob")).isEqualTo(forPump);
        assertThat(store().find(PUMP, null)).isEqualTo(forPump);

        assertThat(store().remove(PUMP, "alice")).isTrue();
        assertThat(store().find(PUMP, "alice")).isEqualTo(forPump);
        assertThat(store().remove(PUMP, null)).isTrue();
        assertThat(store().find(PUMP, "alice")).isEqualTo(forAlice);
    }

    @Test
    void namesAreComparedExactly() {
        put("pump-1", null);
        put(null, "alice");

        assertThat(store().find(new ClientId("Pump-1"), "Alice")).isNull();
        assertThat(store().find(new ClientId("pump-1 "), " alice")).isNull();
        assertThat(store().find(new ClientId("pump_1"), "%")).isNull();
    }

    @Test
    void namesMayContainAnyCharacters() {
        StoredCredentials odd = put("'; DROP TABLE client_credentials; --", "\"Zoë\" \uD83D\uDE80 \\ $1 %s");

        assertThat(store().find(new ClientId("'; DROP TABLE client_credentials; --"), "\"Zoë\" \uD83D\uDE80 \\ $1 %s"))
                .isEqualTo(odd);
        assertThat(store().count()).isEqualTo(1);
    }

    @Test
    void putReplacesCredentialsForTheSameNames() {
        for (@Nullable
        String[] names : new @Nullable String[][] {{"pump-1", null}, {null, "alice"}, {"pump-1", "alice"}}) {
            put(names[0], names[1]);
            StoredCredentials second =
                    new StoredCredentials(UUID.randomUUID(), id(names[0]), names[1], ClientType.APPLICATION, "second");
            store().put(second);

            assertThat(store().list(0, 10)).containsOnlyOnce(second);
        }
        assertThat(store().count()).isEqualTo(3);
        assertThat(store().isEmpty()).isFalse();
    }

    @Test
    void removeDeletesOnlyTheNamedEntries() {
        StoredCredentials forPump = put("pump-1", null);
        StoredCredentials forAlice = put(null, "alice");
        put("pump-1", "alice");

        assertThat(store().remove(PUMP, "bob")).isFalse();
        assertThat(store().remove(PUMP, "alice")).isTrue();
        assertThat(store().remove(PUMP, "alice")).isFalse();

        assertThat(store().list(0, 10)).containsExactlyInAnyOrder(forPump, forAlice);
        assertThat(store().remove(PUMP, null)).isTrue();
        assertThat(store().remove(null, "alice")).isTrue();
        assertThat(store().count()).isZero();
        assertThat(store().isEmpty()).isTrue();
    }

    @Test
    void listsInPagesByUserNameThenClientIdWithNullFirst() {
        StoredCredentials bobOnB = put("b", "bob");
        StoredCredentials onC = put("c", null);
        StoredCredentials aliceOnZ = put("z", "alice");
        StoredCredentials alice = put(null, "alice");
        StoredCredentials upperBob = put("a", "Bob");
        StoredCredentials onA = put("a", null);

        List<StoredCredentials> all = List.of(onA, onC, upperBob, alice, aliceOnZ, bobOnB);
        assertThat(store().list(0, 100)).isEqualTo(all);
        assertThat(store().list(0, 2)).isEqualTo(all.subList(0, 2));
        assertThat(store().list(2, 3)).isEqualTo(all.subList(2, 5));
        assertThat(store().list(5, 3)).isEqualTo(all.subList(5, 6));
        assertThat(store().list(6, 3)).isEmpty();
        assertThat(store().count()).isEqualTo(6);
    }

    @Test
    void pagesFollowTheOrderOfANameWithoutGaps() {
        StoredCredentials bobOnB = put("b", "bob");
        StoredCredentials onC = put("c", null);
        StoredCredentials aliceOnZ = put("z", "alice");
        StoredCredentials alice = put(null, "alice");
        StoredCredentials aliceOnC = put("c", "alice");
        StoredCredentials upperBob = put("a", "Bob");
        StoredCredentials onA = put("a", null);
        StoredCredentials bo = put(null, "bo");

        List<StoredCredentials> byUser = List.of(onA, onC, upperBob, alice, aliceOnC, aliceOnZ, bo, bobOnB);
        List<StoredCredentials> byClient = List.of(onA, upperBob, bobOnB, onC, aliceOnC, aliceOnZ);
        for (int limit = 1; limit <= 9; limit++) {
            assertThat(pages(CredentialsQuery.Order.USER_NAME, null, limit)).isEqualTo(byUser);
            assertThat(pages(CredentialsQuery.Order.CLIENT_ID, null, limit)).isEqualTo(byClient);
            assertThat(pages(CredentialsQuery.Order.USER_NAME, "bo", limit)).containsExactly(bo, bobOnB);
            assertThat(pages(CredentialsQuery.Order.USER_NAME, "alice", limit))
                    .containsExactly(alice, aliceOnC, aliceOnZ);
            assertThat(pages(CredentialsQuery.Order.CLIENT_ID, "c", limit)).containsExactly(onC, aliceOnC);
            assertThat(pages(CredentialsQuery.Order.CLIENT_ID, "%", limit)).isEmpty();
            assertThat(pages(CredentialsQuery.Order.USER_NAME, true, null, null, limit))
                    .isEqualTo(byUser.reversed());
            assertThat(pages(CredentialsQuery.Order.CLIENT_ID, true, null, null, limit))
                    .isEqualTo(byClient.reversed());
            assertThat(pages(CredentialsQuery.Order.USER_NAME, true, "alice", null, limit))
                    .containsExactly(aliceOnZ, aliceOnC, alice);
            assertThat(pages(CredentialsQuery.Order.CLIENT_ID, true, "c", null, limit))
                    .containsExactly(aliceOnC, onC);
        }
    }

    @Test
    void pagesHaveCredentialsOfOneTypeOnly() {
        StoredCredentials device = put("a", null);
        StoredCredentials billing = new StoredCredentials(UUID.randomUUID(), null, "b", ClientType.APPLICATION, "hash");
        StoredCredentials stock =
                new StoredCredentials(UUID.randomUUID(), id("b"), "b", ClientType.APPLICATION, "hash");
        store().put(billing);
        store().put(stock);

        for (int limit = 1; limit <= 3; limit++) {
            assertThat(pages(CredentialsQuery.Order.USER_NAME, false, null, ClientType.APPLICATION, limit))
                    .containsExactly(billing, stock);
            assertThat(pages(CredentialsQuery.Order.USER_NAME, true, "b", ClientType.APPLICATION, limit))
                    .containsExactly(stock, billing);
            assertThat(pages(CredentialsQuery.Order.CLIENT_ID, false, null, ClientType.APPLICATION, limit))
                    .containsExactly(stock);
            assertThat(pages(CredentialsQuery.Order.USER_NAME, false, null, ClientType.DEVICE, limit))
                    .containsExactly(device);
        }
    }

    @Test
    void credentialsAreFoundById() {
        StoredCredentials pump = put("pump-1", null);
        StoredCredentials alice = put(null, "alice");

        assertThat(store().get(pump.id())).isEqualTo(pump);
        assertThat(store().get(UUID.randomUUID())).isNull();
        assertThat(store().get(List.of(alice.id(), UUID.randomUUID(), pump.id())))
                .containsExactlyInAnyOrder(pump, alice);
    }

    @Test
    void createDoesNotReplace() {
        StoredCredentials pump = credentials("pump-1", null);

        assertThat(store().create(pump)).isTrue();
        assertThat(store().create(credentials("pump-1", null))).isFalse();

        assertThat(store().list(0, 10)).containsExactly(pump);
    }

    @Test
    void updateReplacesOnlyWhatWasRead() {
        StoredCredentials before = put("pump-1", null);
        StoredCredentials after =
                new StoredCredentials(before.id(), null, "bob", ClientType.APPLICATION, "another hash");

        assertThat(store().update(before, after)).isEqualTo(CredentialsChange.DONE);
        assertThat(store().list(0, 10)).containsExactly(after);
        assertThat(store().update(before, after)).isEqualTo(CredentialsChange.ABSENT);
        assertThat(store().update(credentials("x", null), after)).isEqualTo(CredentialsChange.ABSENT);

        StoredCredentials alice = put(null, "alice");
        assertThat(store().update(after, new StoredCredentials(after.id(), null, "alice", ClientType.DEVICE, "h")))
                .isEqualTo(CredentialsChange.NAMES_TAKEN);
        assertThat(store().list(0, 10)).containsExactly(alice, after);
    }

    @Test
    void credentialsWithARenewedHashCountAsUnchanged() {
        StoredCredentials before = put("pump-1", null);

        store().renew(before, "stronger");
        store().renew(before, "too late");

        StoredCredentials renewed = store().list(0, 10).getFirst();
        assertThat(renewed.passwordHash()).isEqualTo("stronger");
        assertThat(renewed.version()).isEqualTo(before.version());
    }

    @Test
    void aNewPasswordChangesCredentialsWithARenewedHash() {
        StoredCredentials before = put("pump-1", null);
        store().renew(before, "stronger");
        StoredCredentials renewed = store().list(0, 10).getFirst();
        StoredCredentials after =
                new StoredCredentials(before.id(), before.clientId(), null, before.type(), "another hash");

        assertThat(store().update(renewed, after)).isEqualTo(CredentialsChange.DONE);

        assertThat(store().list(0, 10)).containsExactly(after);
        assertThat(after.version()).isNotEqualTo(before.version());
    }

    @Test
    void groupsAreAPartOfTheVersion() {
        StoredCredentials pump = credentials("pump-1", null);
        StoredCredentials inGroups = inGroups(pump, "b \"quoted\" {x}", "NULL", "a");
        store().put(inGroups);

        StoredCredentials stored = store().list(0, 10).getFirst();
        assertThat(stored).isEqualTo(inGroups);
        assertThat(stored.groups()).containsExactly("NULL", "a", "b \"quoted\" {x}");
        assertThat(store().update(pump, inGroups(pump, "c"))).isEqualTo(CredentialsChange.ABSENT);
        assertThat(store().update(stored, inGroups(pump, "c"))).isEqualTo(CredentialsChange.DONE);
        assertThat(store().get(List.of(pump.id())))
                .extracting(StoredCredentials::version)
                .doesNotContain(pump.version(), inGroups.version());
    }

    private static StoredCredentials inGroups(StoredCredentials stored, String... groups) {
        return new StoredCredentials(
                stored.id(),
                stored.clientId(),
                stored.userName(),
                stored.type(),
                List.of(groups),
                stored.passwordHash(),
                null);
    }

    @Test
    void removalByIdIsDoneOnce() {
        StoredCredentials pump = put("pump-1", null);
        StoredCredentials alice = put(null, "alice");

        assertThat(store().remove(pump.id())).isTrue();
        assertThat(store().remove(pump.id())).isFalse();

        assertThat(store().list(0, 10)).containsExactly(alice);
    }

    @Test
    void manyAreStoredAtOnceAndReplaceOthersOnlyOnRequest() {
        StoredCredentials pump = put("pump-1", null);
        StoredCredentials newPump = credentials("pump-1", null);
        StoredCredentials alice = credentials(null, "alice");

        assertThat(store().putAll(List.of(newPump, alice), false)).containsExactly(alice.id());
        assertThat(store().list(0, 10)).containsExactly(pump, alice);

        assertThat(store().putAll(List.of(newPump), true)).containsExactly(newPump.id());
        assertThat(store().list(0, 10)).containsExactly(newPump, alice);
        store().putAll(List.of(inGroups(pump, "a", "b"), inGroups(alice, "a")), true);
        assertThat(store().list(0, 10))
                .extracting(StoredCredentials::groups)
                .containsExactly(List.of("a", "b"), List.of("a"));
    }

    private List<StoredCredentials> pages(CredentialsQuery.Order order, @Nullable String prefix, int limit) {
        return pages(order, false, prefix, null, limit);
    }

    private List<StoredCredentials> pages(
            CredentialsQuery.Order order,
            boolean isDescending,
            @Nullable String prefix,
            @Nullable ClientType type,
            int limit) {
        List<StoredCredentials> all = new ArrayList<>();
        CredentialsQuery.Names after = null;
        List<StoredCredentials> page;
        do {
            page = store().page(new CredentialsQuery(order, isDescending, prefix, type, after, limit));
            all.addAll(page);
            if (!page.isEmpty()) {
                StoredCredentials last = page.getLast();
                after = new CredentialsQuery.Names(
                        last.clientId() == null ? null : last.clientId().value(), last.userName());
            }
        } while (page.size() == limit);
        return all;
    }

    private static StoredCredentials credentials(@Nullable String clientId, @Nullable String userName) {
        return new StoredCredentials(UUID.randomUUID(), id(clientId), userName, ClientType.DEVICE, "hash");
    }

    private StoredCredentials put(@Nullable String clientId, @Nullable String userName) {
        StoredCredentials credentials = new StoredCredentials(
                UUID.randomUUID(), id(clientId), userName, ClientType.DEVICE, "hash of " + clientId + "/" + userName);
        store().put(credentials);
        return credentials;
    }

    private static @Nullable ClientId id(@Nullable String clientId) {
        return clientId == null ? null : new ClientId(clientId);
    }
}

package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.AdminChange;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of {@link AdminUsers}. Each test starts with an empty store. */
public abstract class AdminUsersContract {
    /** Returns the store under test, empty at the start of a test and the same throughout it. */
    protected abstract AdminUsers users();

    @Test
    void theFirstAdministratorIsCreatedAndFound() {
        AdminUser admin = admin("admin");

        assertThat(users().find("admin")).isNull();
        assertThat(create(admin)).isTrue();
        assertThat(users().find("admin")).isEqualTo(admin);
    }

    @Test
    void firstAdministratorIsCreatedOnceEvenUnderAnotherName() {
        AdminUser admin = admin("admin");
        create(admin);

        assertThat(create(admin("admin"))).isFalse();
        assertThat(create(admin("other"))).isFalse();
        assertThat(users().find("admin")).isEqualTo(admin);
        assertThat(users().find("other")).isNull();
    }

    @Test
    void namesAreComparedExactly() {
        create(admin("admin"));

        assertThat(users().find("Admin")).isNull();
        assertThat(users().find("admin ")).isNull();
        assertThat(users().find("%")).isNull();
        assertThat(users().find("' OR ''='")).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void theRoleIsKept(AdminRole role) {
        AdminUser user = new AdminUser(UUID.randomUUID(), "a", "hash", role);
        create(user);

        assertThat(users().find("a")).isEqualTo(user);
    }

    @Test
    void oneOfSeveralConcurrentNodesCreatesTheAdministrator() throws Exception {
        int nodes = 8;
        CyclicBarrier together = new CyclicBarrier(nodes);
        List<Callable<Boolean>> starts = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            AdminUser admin = admin("admin-" + node);
            starts.add(() -> {
                together.await();
                return create(admin);
            });
        }

        List<Boolean> created = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> start : executor.invokeAll(starts)) {
                created.add(start.get());
            }
        }

        assertThat(created).containsOnlyOnce(true);
        int winner = created.indexOf(true);
        for (int node = 0; node < nodes; node++) {
            AdminUser found = users().find("admin-" + node);
            assertThat(found != null).as("node %d", node).isEqualTo(node == winner);
        }
    }

    @Test
    void administratorIsAnnouncedBeforeItIsStoredAndNoOtherIs() {
        List<String> announced = new ArrayList<>();
        AdminUser admin = admin("admin");

        users().createIfNone(admin, () -> {
            assertThat(users().find("admin")).isNull();
            announced.add("admin");
        });
        users().createIfNone(admin("other"), () -> announced.add("other"));

        assertThat(announced).containsExactly("admin");
        assertThat(users().find("admin")).isEqualTo(admin);
    }

    @Test
    void administratorThatCannotBeAnnouncedIsNotCreated() {
        AdminUser admin = admin("admin");

        assertThatThrownBy(() -> users().createIfNone(admin, () -> {
                    throw new IllegalStateException("the terminal is gone");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the terminal is gone");

        assertThat(users().find("admin")).isNull();
        assertThat(create(admin)).isTrue();
    }

    @Test
    void changingThePasswordChangesNothingElse() {
        AdminUser admin = admin("admin");
        create(admin);

        assertThat(users().changePassword("admin", "another hash")).isTrue();

        assertThat(users().find("admin"))
                .isEqualTo(new AdminUser(admin.id(), "admin", "another hash", AdminRole.ADMIN));
    }

    @Test
    void changingThePasswordOfAnUnknownNameFails() {
        AdminUser admin = admin("admin");
        create(admin);

        assertThat(users().changePassword("Admin", "another hash")).isFalse();

        assertThat(users().find("admin")).isEqualTo(admin);
        assertThat(users().find("Admin")).isNull();
    }

    @Test
    void aNameIsTakenOnce() {
        AdminUser ada = admin("ada");
        assertThat(users().create(ada)).isTrue();

        assertThat(users().create(admin("ada"))).isFalse();
        assertThat(users().create(admin("Ada"))).isTrue();

        assertThat(users().find("ada")).isEqualTo(ada);
    }

    @Test
    void theListIsInOrderAndInParts() {
        List<AdminUser> all = List.of(admin("Zoe"), admin("ada"), admin("bob"));
        all.reversed().forEach(user -> users().create(user));

        assertThat(list(null, false, null, 10)).isEqualTo(all);
        assertThat(list(null, false, null, 2)).isEqualTo(all.subList(0, 2));
        assertThat(list(null, false, "ada", 2)).isEqualTo(all.subList(2, 3));
        assertThat(list(null, false, "bob", 2)).isEmpty();
        assertThat(list(null, true, null, 10)).isEqualTo(all.reversed());
        assertThat(list(null, true, "bob", 1)).isEqualTo(all.subList(1, 2));
        assertThat(list(null, true, "Zoe", 1)).isEmpty();
    }

    @Test
    void theListHasOneRoleOnly() {
        AdminUser ada = admin("ada");
        AdminUser vera = new AdminUser(UUID.randomUUID(), "vera", "hash", AdminRole.VIEWER);
        AdminUser victor = new AdminUser(UUID.randomUUID(), "victor", "hash", AdminRole.VIEWER);
        List.of(victor, ada, vera).forEach(user -> users().create(user));

        assertThat(list(AdminRole.ADMIN, false, null, 10)).containsExactly(ada);
        assertThat(list(AdminRole.VIEWER, false, null, 10)).containsExactly(vera, victor);
        assertThat(list(AdminRole.VIEWER, false, "vera", 10)).containsExactly(victor);
        assertThat(list(AdminRole.VIEWER, true, "victor", 10)).containsExactly(vera);
    }

    private List<AdminUser> list(@Nullable AdminRole role, boolean isDescending, @Nullable String after, int limit) {
        return users().list(new AccountQuery(role, isDescending, after, limit));
    }

    @Test
    void theLastAdminKeepsItsRoleAndItsAccount() {
        AdminUser ada = admin("ada");
        AdminUser vera = new AdminUser(UUID.randomUUID(), "vera", "hash", AdminRole.VIEWER);
        users().create(ada);
        users().create(vera);

        assertThat(users().changeRole("ada", AdminRole.VIEWER)).isEqualTo(AdminChange.LAST_ADMIN);
        assertThat(users().remove("ada")).isEqualTo(AdminChange.LAST_ADMIN);
        assertThat(users().find("ada")).isEqualTo(ada);

        assertThat(users().changeRole("vera", AdminRole.ADMIN)).isEqualTo(AdminChange.DONE);
        assertThat(users().changeRole("ada", AdminRole.VIEWER)).isEqualTo(AdminChange.DONE);
        assertThat(users().remove("ada")).isEqualTo(AdminChange.DONE);
        assertThat(users().find("ada")).isNull();
        assertThat(users().find("vera")).isEqualTo(new AdminUser(vera.id(), "vera", "hash", AdminRole.ADMIN));
    }

    @Test
    void anAbsentAdministratorCannotBeChanged() {
        users().create(admin("ada"));

        assertThat(users().changeRole("bob", AdminRole.ADMIN)).isEqualTo(AdminChange.ABSENT);
        assertThat(users().changeRole("bob", AdminRole.VIEWER)).isEqualTo(AdminChange.ABSENT);
        assertThat(users().remove("bob")).isEqualTo(AdminChange.ABSENT);
    }

    @Test
    void oneOfTwoAdminsThatRemoveEachOtherStays() throws Exception {
        for (int round = 0; round < 10; round++) {
            users().create(admin("ada"));
            users().create(admin("bob"));
            CyclicBarrier together = new CyclicBarrier(2);
            List<Callable<AdminChange>> removals = new ArrayList<>();
            for (String name : List.of("ada", "bob")) {
                removals.add(() -> {
                    together.await();
                    return users().remove(name);
                });
            }

            List<AdminChange> changes = new ArrayList<>();
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<AdminChange> removal : executor.invokeAll(removals)) {
                    changes.add(removal.get());
                }
            }

            assertThat(changes).containsExactlyInAnyOrder(AdminChange.DONE, AdminChange.LAST_ADMIN);
        }
    }

    private boolean create(AdminUser user) {
        return users().createIfNone(user, () -> {});
    }

    private static AdminUser admin(String userName) {
        return new AdminUser(UUID.randomUUID(), userName, "hash of " + userName, AdminRole.ADMIN);
    }
}

package io.heddle.core.testkit;

import io.heddle.core.administration.AdminUsers;

class InMemoryAdminUsersTest extends AdminUsersContract {
    private final AdminUsers fake = new InMemoryAdminUsers();

    @Override
    protected AdminUsers users() {
        return fake;
    }
}

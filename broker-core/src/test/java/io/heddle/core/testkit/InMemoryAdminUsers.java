package io.heddle.core.testkit;

import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Holds at most one administrator, which is as many as the port can create. */
public final class InMemoryAdminUsers implements AdminUsers {
    private final AtomicReference<@Nullable AdminUser> first = new AtomicReference<>();

    @Override
    public @Nullable AdminUser find(String userName) {
        AdminUser user = first.get();
        return user != null && user.userName().equals(userName) ? user : null;
    }

    @Override
    public synchronized boolean createIfNone(AdminUser user, Runnable announcement) {
        if (first.get() != null) {
            return false;
        }
        announcement.run();
        first.set(user);
        return true;
    }

    @Override
    public synchronized boolean changePassword(String userName, String passwordHash) {
        AdminUser user = find(userName);
        if (user == null) {
            return false;
        }
        first.set(new AdminUser(user.id(), userName, passwordHash, user.role()));
        return true;
    }
}

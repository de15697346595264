package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.AdminChange;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** Administrators in a sorted map. Not for names outside the basic plane of Unicode, which PostgreSQL sorts in another order. */
public class InMemoryAdminUsers implements AdminUsers {
    private final ConcurrentSkipListMap<String, AdminUser> stored = new ConcurrentSkipListMap<>();
    private volatile boolean isDown;

    /** Makes the store unavailable, or available again. */
    public void setDown(boolean down) {
        isDown = down;
    }

    private ConcurrentSkipListMap<String, AdminUser> users() {
        if (isDown) {
            throw StoreUnavailableException.postgres("PostgreSQL at secret-host", new IllegalStateException("refused"));
        }
        return stored;
    }

    /** Adds or replaces an administrator. */
    public void put(AdminUser user) {
        users().put(user.userName(), user);
    }

    @Override
    public @Nullable AdminUser find(String userName) {
        return users().get(userName);
    }

    @Override
    public synchronized boolean createIfNone(AdminUser user, Runnable announcement) {
        if (!users().isEmpty()) {
            return false;
        }
        announcement.run();
        put(user);
        return true;
    }

    @Override
    public synchronized boolean changePassword(String userName, String passwordHash) {
        return users().computeIfPresent(
                                userName, (_, user) -> new AdminUser(user.id(), userName, passwordHash, user.role()))
                != null;
    }

    @Override
    public List<AdminUser> list(AccountQuery query) {
        NavigableMap<String, AdminUser> all = query.isDescending() ? users().descendingMap() : users();
        NavigableMap<String, AdminUser> rest = query.after() == null ? all : all.tailMap(query.after(), false);
        return rest.values().stream()
                .filter(user -> query.role() == null || query.role() == user.role())
                .limit(query.limit())
                .toList();
    }

    @Override
    public synchronized boolean create(AdminUser user) {
        return users().putIfAbsent(user.userName(), user) == null;
    }

    @Override
    public synchronized AdminChange changeRole(String userName, AdminRole role) {
        AdminUser user = find(userName);
        if (user == null) {
            return AdminChange.ABSENT;
        }
        if (role != AdminRole.ADMIN && isLastAdmin(userName)) {
            return AdminChange.LAST_ADMIN;
        }
        put(new AdminUser(user.id(), userName, user.passwordHash(), role));
        return AdminChange.DONE;
    }

    @Override
    public synchronized AdminChange remove(String userName) {
        if (isLastAdmin(userName)) {
            return AdminChange.LAST_ADMIN;
        }
        return users().remove(userName) == null ? AdminChange.ABSENT : AdminChange.DONE;
    }

    private boolean isLastAdmin(String userName) {
        List<String> admins = users().values().stream()
                .filter(user -> user.role() == AdminRole.ADMIN)
                .map(AdminUser::userName)
                .toList();
        return admins.equals(List.of(userName));
    }
}

package io.heddle.persistence.postgres;

import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Administrators in the table {@code admin_user}. */
public final class PostgresAdminUsers implements AdminUsers {
    private static final String CREATE_IF_NONE = """
            INSERT INTO admin_user (id, user_name, password_hash, role)
            SELECT ?, ?, ?, ?
             WHERE NOT EXISTS (SELECT FROM admin_user)""";

    private final Supplier<PostgresDatabase> database;

    /**
     * Creates an adapter for a database that may be opened later.
     *
     * @param database is called for each operation; throws StoreUnavailableException while the database is not open
     */
    public PostgresAdminUsers(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public @Nullable AdminUser find(String userName) {
        return database.get().<@Nullable AdminUser>call("find an administrator", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT id, user_name, password_hash, role FROM admin_user WHERE user_name = ?")) {
                statement.setString(1, userName);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next()
                            ? new AdminUser(
                                    rows.getObject("id", UUID.class),
                                    rows.getString("user_name"),
                                    rows.getString("password_hash"),
                                    AdminRole.valueOf(rows.getString("role")))
                            : null;
                }
            }
        });
    }

    @Override
    public boolean createIfNone(AdminUser first, Runnable announcement) {
        return database.get().inTransaction("create the first administrator", connection -> {
            // Two nodes would not see each other's uncommitted rows. With the lock, the second sees the first one's.
            try (Statement lock = connection.createStatement()) {
                lock.execute("LOCK TABLE admin_user IN SHARE ROW EXCLUSIVE MODE");
            }
            try (PreparedStatement statement = connection.prepareStatement(CREATE_IF_NONE)) {
                statement.setObject(1, first.id());
                statement.setString(2, first.userName());
                statement.setString(3, first.passwordHash());
                statement.setString(4, first.role().name());
                if (statement.executeUpdate() != 1) {
                    return false;
                }
            }
            // Within the transaction, so that nothing is committed when the announcement throws.
            announcement.run();
            return true;
        });
    }

    @Override
    public boolean changePassword(String userName, String passwordHash) {
        return database.get().call("change an administrator's password", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "UPDATE admin_user SET password_hash = ?, updated_at = now() WHERE user_name = ?")) {
                statement.setString(1, passwordHash);
                statement.setString(2, userName);
                return statement.executeUpdate() == 1;
            }
        });
    }
}

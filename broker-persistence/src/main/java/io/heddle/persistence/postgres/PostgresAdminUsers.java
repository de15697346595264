package io.heddle.persistence.postgres;

import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.AdminChange;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Administrators in the table {@code admin_user}. */
public final class PostgresAdminUsers implements AdminUsers {
    private static final String COLUMNS = "id, user_name, password_hash, role";
    private static final String SELECT = "SELECT " + COLUMNS + " FROM admin_user";

    private static final String CREATE_IF_NONE = """
            INSERT INTO admin_user (id, user_name, password_hash, role)
            SELECT ?, ?, ?, ?
             WHERE NOT EXISTS (SELECT FROM admin_user)""";

    private final Supplier<PostgresDatabase> database;

    /** @param database is called for each operation; throws StoreUnavailableException while the database is not open */
    public PostgresAdminUsers(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public @Nullable AdminUser find(String userName) {
        return database.get()
                .first("find an administrator", SELECT + " WHERE user_name = ?", PostgresAdminUsers::read, userName);
    }

    @Override
    public boolean createIfNone(AdminUser first, Runnable announcement) {
        return database.get().inTransaction("create the first administrator", connection -> {
            lock(connection);
            if (PostgresDatabase.update(connection, CREATE_IF_NONE, values(first)) != 1) {
                return false;
            }
            // Within the transaction, so that nothing is committed when the announcement throws.
            announcement.run();
            return true;
        });
    }

    @Override
    public boolean changePassword(String userName, String passwordHash) {
        return database.get()
                        .update(
                                "change an administrator's password",
                                "UPDATE admin_user SET password_hash = ?, updated_at = now() WHERE user_name = ?",
                                passwordHash,
                                userName)
                == 1;
    }

    @Override
    public List<AdminUser> list(AccountQuery query) {
        return AccountPages.read(
                database.get(), "list administrators", SELECT, "user_name", query, PostgresAdminUsers::read);
    }

    @Override
    public boolean create(AdminUser user) {
        return database.get()
                        .update(
                                "create an administrator",
                                "INSERT INTO admin_user (" + COLUMNS
                                        + ") VALUES (?, ?, ?, ?) ON CONFLICT (user_name) DO NOTHING",
                                values(user))
                == 1;
    }

    @Override
    public AdminChange changeRole(String userName, AdminRole role) {
        return change(
                "change an administrator's role",
                userName,
                role == AdminRole.ADMIN,
                "UPDATE admin_user SET role = ?, updated_at = now() WHERE user_name = ?",
                role.name(),
                userName);
    }

    @Override
    public AdminChange remove(String userName) {
        return change(
                "remove an administrator", userName, false, "DELETE FROM admin_user WHERE user_name = ?", userName);
    }

    /** @param staysAdmin whether the administrator has the role ADMIN afterwards */
    private AdminChange change(String action, String userName, boolean staysAdmin, String sql, String... values) {
        return database.get().inTransaction(action, connection -> {
            lock(connection);
            if (!staysAdmin && isLastAdmin(connection, userName)) {
                return AdminChange.LAST_ADMIN;
            }
            return PostgresDatabase.update(connection, sql, (Object[]) values) == 1
                    ? AdminChange.DONE
                    : AdminChange.ABSENT;
        });
    }

    private static boolean isLastAdmin(Connection connection, String userName) throws SQLException {
        return PostgresDatabase.query(
                        connection,
                        "SELECT count(*) = 1 AND bool_or(user_name = ?) FROM admin_user WHERE role = 'ADMIN'",
                        row -> row.getBoolean(1),
                        userName)
                .getFirst();
    }

    /** Two nodes would not see each other's uncommitted rows. With the lock, the second sees the first one's. */
    private static void lock(Connection connection) throws SQLException {
        try (Statement lock = connection.createStatement()) {
            lock.execute("LOCK TABLE admin_user IN SHARE ROW EXCLUSIVE MODE");
        }
    }

    private static Object[] values(AdminUser user) {
        return new Object[] {
            user.id(), user.userName(), user.passwordHash(), user.role().name()
        };
    }

    private static AdminUser read(ResultSet row) throws SQLException {
        return new AdminUser(
                row.getObject("id", UUID.class),
                row.getString("user_name"),
                row.getString("password_hash"),
                AdminRole.valueOf(row.getString("role")));
    }
}

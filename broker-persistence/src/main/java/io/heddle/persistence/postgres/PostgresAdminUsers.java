package io.heddle.persistence.postgres;

import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.AdminChange;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
            try (PreparedStatement statement = connection.prepareStatement(SELECT + " WHERE user_name = ?")) {
                statement.setString(1, userName);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? read(rows) : null;
                }
            }
        });
    }

    @Override
    public boolean createIfNone(AdminUser first, Runnable announcement) {
        return database.get().inTransaction("create the first administrator", connection -> {
            lock(connection);
            try (PreparedStatement statement = connection.prepareStatement(CREATE_IF_NONE)) {
                set(statement, first);
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

    @Override
    public List<AdminUser> list(AccountQuery query) {
        return database.get()
                .call(
                        "list administrators",
                        connection ->
                                AccountPages.read(connection, SELECT, "user_name", query, PostgresAdminUsers::read));
    }

    @Override
    public boolean create(AdminUser user) {
        return database.get().call("create an administrator", connection -> {
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO admin_user (" + COLUMNS
                    + ") VALUES (?, ?, ?, ?) ON CONFLICT (user_name) DO NOTHING")) {
                set(statement, user);
                return statement.executeUpdate() == 1;
            }
        });
    }

    @Override
    public AdminChange changeRole(String userName, AdminRole role) {
        return change("change an administrator's role", userName, role == AdminRole.ADMIN, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "UPDATE admin_user SET role = ?, updated_at = now() WHERE user_name = ?")) {
                statement.setString(1, role.name());
                statement.setString(2, userName);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public AdminChange remove(String userName) {
        return change("remove an administrator", userName, false, connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("DELETE FROM admin_user WHERE user_name = ?")) {
                statement.setString(1, userName);
                return statement.executeUpdate();
            }
        });
    }

    /** @param staysAdmin whether the administrator has the role ADMIN afterwards */
    private AdminChange change(
            String action, String userName, boolean staysAdmin, PostgresDatabase.Work<Integer> statement) {
        return database.get().inTransaction(action, connection -> {
            lock(connection);
            if (!staysAdmin && isLastAdmin(connection, userName)) {
                return AdminChange.LAST_ADMIN;
            }
            return statement.on(connection) == 1 ? AdminChange.DONE : AdminChange.ABSENT;
        });
    }

    private static boolean isLastAdmin(Connection connection, String userName) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT count(*) = 1 AND bool_or(user_name = ?) FROM admin_user WHERE role = 'ADMIN'")) {
            statement.setString(1, userName);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        }
    }

    /** Two nodes would not see each other's uncommitted rows. With the lock, the second sees the first one's. */
    private static void lock(Connection connection) throws SQLException {
        try (Statement lock = connection.createStatement()) {
            lock.execute("LOCK TABLE admin_user IN SHARE ROW EXCLUSIVE MODE");
        }
    }

    private static void set(PreparedStatement statement, AdminUser user) throws SQLException {
        statement.setObject(1, user.id());
        statement.setString(2, user.userName());
        statement.setString(3, user.passwordHash());
        statement.setString(4, user.role().name());
    }

    private static AdminUser read(ResultSet row) throws SQLException {
        return new AdminUser(
                row.getObject("id", UUID.class),
                row.getString("user_name"),
                row.getString("password_hash"),
                AdminRole.valueOf(row.getString("role")));
    }
}

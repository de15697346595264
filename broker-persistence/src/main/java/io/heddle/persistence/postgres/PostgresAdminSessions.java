package io.heddle.persistence.postgres;

import io.heddle.core.administration.AdminSession;
import io.heddle.core.administration.AdminSessions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sessions of administrators in the table {@code admin_session}. */
public final class PostgresAdminSessions implements AdminSessions {
    private static final String COLUMNS =
            "id, token_hash, user_name, account, address, created_at, last_used_at, expires_at";
    private static final String SELECT = "SELECT " + COLUMNS + " FROM admin_session";
    private static final String REMOVE_EXPIRED = "DELETE FROM admin_session WHERE expires_at <= ? OR last_used_at < ?";
    private static final String REMOVE_OLDEST = """
            DELETE FROM admin_session WHERE id IN (
                SELECT id FROM admin_session WHERE user_name = ? ORDER BY created_at DESC, id OFFSET ?)""";

    private final Supplier<PostgresDatabase> database;

    /** @param database is called for each operation; throws StoreUnavailableException while the database is not open */
    public PostgresAdminSessions(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public @Nullable AdminSession find(String tokenHash) {
        return database.get()
                .first(
                        "find a session of an administrator",
                        SELECT + " WHERE token_hash = ?",
                        PostgresAdminSessions::read,
                        tokenHash);
    }

    @Override
    public List<AdminSession> list(String userName) {
        return database.get()
                .query(
                        "list the sessions of an administrator",
                        SELECT + " WHERE user_name = ? ORDER BY created_at DESC, id",
                        PostgresAdminSessions::read,
                        userName);
    }

    @Override
    public void create(AdminSession session, Instant idleSince) {
        database.get().inTransaction("create a session of an administrator", connection -> {
            // Otherwise two nodes would not see each other's uncommitted rows, and exceed the maximum.
            try (Statement lock = connection.createStatement()) {
                lock.execute("LOCK TABLE admin_session IN SHARE ROW EXCLUSIVE MODE");
            }
            PostgresDatabase.update(connection, REMOVE_EXPIRED, session.createdAt(), idleSince);
            PostgresDatabase.update(connection, REMOVE_OLDEST, session.userName(), MAX_PER_ADMINISTRATOR - 1);
            return PostgresDatabase.update(
                    connection,
                    "INSERT INTO admin_session (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    session.id(),
                    session.tokenHash(),
                    session.userName(),
                    session.account(),
                    session.address(),
                    session.createdAt(),
                    session.lastUsedAt(),
                    session.expiresAt());
        });
    }

    @Override
    public void use(UUID id, Instant time) {
        database.get()
                .update(
                        "store the use of a session of an administrator",
                        "UPDATE admin_session SET last_used_at = ? WHERE id = ? AND last_used_at < ?",
                        time,
                        id,
                        time);
    }

    @Override
    public void remove(String userName, UUID id) {
        database.get()
                .update(
                        "remove a session of an administrator",
                        "DELETE FROM admin_session WHERE user_name = ? AND id = ?",
                        userName,
                        id);
    }

    @Override
    public void removeAll(String userName, @Nullable UUID kept) {
        database.get()
                .update(
                        "remove the sessions of an administrator",
                        "DELETE FROM admin_session WHERE user_name = ? AND id IS DISTINCT FROM ?::uuid",
                        userName,
                        kept);
    }

    private static AdminSession read(ResultSet row) throws SQLException {
        return new AdminSession(
                row.getObject("id", UUID.class),
                row.getString("token_hash"),
                row.getString("user_name"),
                row.getString("account"),
                row.getString("address"),
                time(row, "created_at"),
                time(row, "last_used_at"),
                time(row, "expires_at"));
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}

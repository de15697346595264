package io.heddle.persistence.postgres;

import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.ApiKey;
import io.heddle.core.administration.ApiKeys;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** API keys in the table {@code api_key}. */
public final class PostgresApiKeys implements ApiKeys {
    private static final String SELECT =
            "SELECT name, secret_hash, role, expires_at, created_by, created_at FROM api_key";
    private static final String CREATE = """
            INSERT INTO api_key (name, secret_hash, role, expires_at, created_by, created_at)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING""";

    private final Supplier<PostgresDatabase> database;

    /**
     * Creates an adapter for a database that may be opened later.
     *
     * @param database is called for each operation; throws StoreUnavailableException while the database is not open
     */
    public PostgresApiKeys(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public @Nullable ApiKey find(String name) {
        return database.get().<@Nullable ApiKey>call("find an API key", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(SELECT + " WHERE name = ?")) {
                statement.setString(1, name);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? read(rows) : null;
                }
            }
        });
    }

    @Override
    public List<ApiKey> list(AccountQuery query) {
        return database.get()
                .call(
                        "list API keys",
                        connection -> AccountPages.read(connection, SELECT, "name", query, PostgresApiKeys::read));
    }

    @Override
    public boolean create(ApiKey key) {
        return database.get().call("create an API key", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(CREATE)) {
                statement.setString(1, key.name());
                statement.setString(2, key.secretHash());
                statement.setString(3, key.role().name());
                statement.setObject(4, time(key.expiresAt()));
                statement.setString(5, key.createdBy());
                statement.setObject(6, time(key.createdAt()));
                return statement.executeUpdate() == 1;
            }
        });
    }

    @Override
    public void remove(String name) {
        database.get().call("remove an API key", connection -> {
            try (PreparedStatement statement = connection.prepareStatement("DELETE FROM api_key WHERE name = ?")) {
                statement.setString(1, name);
                return statement.executeUpdate();
            }
        });
    }

    private static ApiKey read(ResultSet row) throws SQLException {
        OffsetDateTime expiresAt = row.getObject("expires_at", OffsetDateTime.class);
        return new ApiKey(
                row.getString("name"),
                row.getString("secret_hash"),
                AdminRole.valueOf(row.getString("role")),
                expiresAt == null ? null : expiresAt.toInstant(),
                row.getString("created_by"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }

    private static @Nullable OffsetDateTime time(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }
}

package io.heddle.persistence.postgres;

import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.ApiKey;
import io.heddle.core.administration.ApiKeys;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
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

    /** @param database is called for each operation; throws StoreUnavailableException while the database is not open */
    public PostgresApiKeys(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public @Nullable ApiKey find(String name) {
        return database.get().first("find an API key", SELECT + " WHERE name = ?", PostgresApiKeys::read, name);
    }

    @Override
    public List<ApiKey> list(AccountQuery query) {
        return AccountPages.read(database.get(), "list API keys", SELECT, "name", query, PostgresApiKeys::read);
    }

    @Override
    public boolean create(ApiKey key) {
        return database.get()
                        .update(
                                "create an API key",
                                CREATE,
                                key.name(),
                                key.secretHash(),
                                key.role().name(),
                                key.expiresAt(),
                                key.createdBy(),
                                key.createdAt())
                == 1;
    }

    @Override
    public void remove(String name) {
        database.get().update("remove an API key", "DELETE FROM api_key WHERE name = ?", name);
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
}

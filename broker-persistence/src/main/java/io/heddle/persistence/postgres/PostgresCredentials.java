package io.heddle.persistence.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Client credentials in the table {@code client_credentials}. */
public final class PostgresCredentials implements CredentialsStore {
    /** The length limit of client ids and user names of credentials in UTF-8 bytes, because both are indexed. */
    public static final int MAX_NAME_BYTES = 1_024;

    private static final String COLUMNS = "id, client_id, user_name, client_type, password_hash";

    // In SQL a null user name equals nothing, so its conditions do not match.
    private static final String FIND = "SELECT " + COLUMNS + """
             FROM client_credentials
            WHERE client_id = ?
               OR (client_id IS NULL AND user_name = ?)
            ORDER BY client_id IS NOT NULL DESC, (user_name = ?) IS TRUE DESC, user_name IS NULL DESC
            LIMIT 1""";

    private static final String PUT = """
            INSERT INTO client_credentials (id, client_id, user_name, client_type, password_hash)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (user_name, client_id) DO UPDATE
               SET id = EXCLUDED.id,
                   client_type = EXCLUDED.client_type,
                   password_hash = EXCLUDED.password_hash,
                   updated_at = now()""";

    private static final String REMOVE = """
            DELETE FROM client_credentials
             WHERE user_name IS NOT DISTINCT FROM ? AND client_id IS NOT DISTINCT FROM ?""";

    private static final String LIST = "SELECT " + COLUMNS + """
             FROM client_credentials
            ORDER BY user_name NULLS FIRST, client_id NULLS FIRST
           OFFSET ? LIMIT ?""";

    private final Supplier<PostgresDatabase> database;

    /**
     * Creates an adapter for a database that may be opened later.
     *
     * @param database is called for each operation; throws StoreUnavailableException while the database is not open
     */
    public PostgresCredentials(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public @Nullable StoredCredentials find(ClientId clientId, @Nullable String userName) {
        return database.get().<@Nullable StoredCredentials>call("find credentials", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(FIND)) {
                statement.setString(1, clientId.value());
                statement.setString(2, userName);
                statement.setString(3, userName);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? read(rows) : null;
                }
            }
        });
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when a name is longer than {@link #MAX_NAME_BYTES}
     */
    @Override
    public void put(StoredCredentials credentials) {
        @Nullable
        String clientId =
                credentials.clientId() == null ? null : credentials.clientId().value();
        checkLength("client id", clientId);
        checkLength("user name", credentials.userName());
        database.get().call("store credentials", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(PUT)) {
                statement.setObject(1, credentials.id());
                statement.setString(2, clientId);
                statement.setString(3, credentials.userName());
                statement.setString(4, credentials.type().name());
                statement.setString(5, credentials.passwordHash());
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public boolean remove(@Nullable ClientId clientId, @Nullable String userName) {
        return database.get().call("remove credentials", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(REMOVE)) {
                statement.setString(1, userName);
                statement.setString(2, clientId == null ? null : clientId.value());
                return statement.executeUpdate() > 0;
            }
        });
    }

    @Override
    public List<StoredCredentials> list(int offset, int limit) {
        return database.get().call("list credentials", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(LIST)) {
                statement.setInt(1, offset);
                statement.setInt(2, limit);
                try (ResultSet rows = statement.executeQuery()) {
                    List<StoredCredentials> page = new ArrayList<>();
                    while (rows.next()) {
                        page.add(read(rows));
                    }
                    return page;
                }
            }
        });
    }

    @Override
    public boolean isEmpty() {
        return database.get().call("look for credentials", connection -> {
            try (PreparedStatement statement =
                            connection.prepareStatement("SELECT NOT EXISTS (SELECT FROM client_credentials)");
                    ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getBoolean(1);
            }
        });
    }

    @Override
    public long count() {
        return database.get().call("count credentials", connection -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT count(*) FROM client_credentials");
                    ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        });
    }

    private static StoredCredentials read(ResultSet row) throws SQLException {
        @Nullable String clientId = row.getString("client_id");
        return new StoredCredentials(
                row.getObject("id", UUID.class),
                clientId == null ? null : new ClientId(clientId),
                row.getString("user_name"),
                ClientType.valueOf(row.getString("client_type")),
                row.getString("password_hash"));
    }

    private static void checkLength(String what, @Nullable String name) {
        if (name != null && name.getBytes(UTF_8).length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "the " + what + " of credentials must not exceed " + MAX_NAME_BYTES + " bytes");
        }
    }
}

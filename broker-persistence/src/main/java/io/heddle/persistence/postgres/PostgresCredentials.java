package io.heddle.persistence.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.authentication.CredentialsChange;
import io.heddle.core.authentication.CredentialsQuery;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Client credentials in the table {@code client_credentials}. */
public final class PostgresCredentials implements CredentialsStore {
    /** The length limit of client ids and user names of credentials in UTF-8 bytes, because both are indexed. */
    public static final int MAX_NAME_BYTES = 1_024;

    static final String COLUMNS = "id, client_id, user_name, client_type, client_groups, password_hash, renewed_from";

    // In SQL a null user name equals nothing, so its conditions do not match.
    private static final String FIND = "SELECT " + COLUMNS + """
             FROM client_credentials
            WHERE client_id = ?
               OR (client_id IS NULL AND user_name = ?)
            ORDER BY client_id IS NOT NULL DESC, (user_name = ?) IS TRUE DESC, user_name IS NULL DESC
            LIMIT 1""";

    // An array of arrays would need the same number of groups everywhere, so they are the texts of arrays.
    private static final String INSERT = """
            INSERT INTO client_credentials (id, client_id, user_name, client_type, client_groups, password_hash)
            SELECT id, client_id, user_name, client_type, client_groups::text[], password_hash
              FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
                AS given (id, client_id, user_name, client_type, client_groups, password_hash)
            ON CONFLICT (user_name, client_id) DO""";

    private static final String REPLACE = """
            UPDATE
               SET id = EXCLUDED.id,
                   client_type = EXCLUDED.client_type,
                   client_groups = EXCLUDED.client_groups,
                   password_hash = EXCLUDED.password_hash,
                   updated_at = now()""";

    private static final String UPDATE = """
            UPDATE client_credentials
               SET client_id = ?, user_name = ?, client_type = ?, client_groups = ?, password_hash = ?, updated_at = now()
             WHERE id = ?
               AND client_id IS NOT DISTINCT FROM ?
               AND user_name IS NOT DISTINCT FROM ?
               AND client_type = ?
               AND client_groups = ?
               AND password_hash = ?""";

    private static final String RENEW = """
            UPDATE client_credentials
               SET password_hash = ?, renewed_from = ?
             WHERE id = ? AND password_hash = ?""";

    // PostgreSQL's state of a violated unique index.
    private static final String NOT_UNIQUE = "23505";

    private static final String REMOVE = """
            DELETE FROM client_credentials
             WHERE user_name IS NOT DISTINCT FROM ? AND client_id IS NOT DISTINCT FROM ?""";

    private static final String LIST = "SELECT " + COLUMNS + """
             FROM client_credentials
            ORDER BY user_name NULLS FIRST, client_id NULLS FIRST
           OFFSET ? LIMIT ?""";

    private static final String NAMES =
            "SELECT id, client_id, user_name FROM client_credentials WHERE id > ? ORDER BY id LIMIT ?";

    // PostgreSQL orders ids as unsigned numbers.
    private static final UUID BEFORE_ALL = new UUID(0, 0);

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
        putAll(List.of(credentials), true);
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
                    return readAll(rows);
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
    public List<Names> names(@Nullable UUID after, int limit) {
        return database.get().call("read the names of credentials", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(NAMES)) {
                statement.setObject(1, after == null ? BEFORE_ALL : after);
                statement.setInt(2, limit);
                try (ResultSet rows = statement.executeQuery()) {
                    List<Names> names = new ArrayList<>();
                    while (rows.next()) {
                        @Nullable String clientId = rows.getString("client_id");
                        names.add(new Names(
                                rows.getObject("id", UUID.class),
                                clientId == null ? null : new ClientId(clientId),
                                rows.getString("user_name")));
                    }
                    return names;
                }
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

    @Override
    public @Nullable StoredCredentials get(UUID id) {
        List<StoredCredentials> found = get(List.of(id));
        return found.isEmpty() ? null : found.getFirst();
    }

    @Override
    public List<StoredCredentials> get(Collection<UUID> ids) {
        return database.get().call("read credentials", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT " + COLUMNS + " FROM client_credentials WHERE id = ANY (?::uuid[])")) {
                statement.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
                try (ResultSet rows = statement.executeQuery()) {
                    return readAll(rows);
                }
            }
        });
    }

    @Override
    public List<StoredCredentials> page(CredentialsQuery query) {
        return database.get().call("list credentials", connection -> CredentialsPages.read(connection, query));
    }

    @Override
    public boolean create(StoredCredentials credentials) {
        return !putAll(List.of(credentials), false).isEmpty();
    }

    @Override
    public CredentialsChange update(StoredCredentials before, StoredCredentials after) {
        checkLengths(after);
        try {
            return database.get().call("change credentials", connection -> {
                try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
                    statement.setString(1, clientId(after));
                    statement.setString(2, after.userName());
                    statement.setString(3, after.type().name());
                    statement.setArray(4, groups(connection, after));
                    statement.setString(5, after.passwordHash());
                    statement.setObject(6, before.id());
                    statement.setString(7, clientId(before));
                    statement.setString(8, before.userName());
                    statement.setString(9, before.type().name());
                    statement.setArray(10, groups(connection, before));
                    statement.setString(11, before.passwordHash());
                    return statement.executeUpdate() == 1 ? CredentialsChange.DONE : CredentialsChange.ABSENT;
                }
            });
        } catch (PostgresException rejected) {
            if (NOT_UNIQUE.equals(rejected.sqlState())) {
                return CredentialsChange.NAMES_TAKEN;
            }
            throw rejected;
        }
    }

    @Override
    public void renew(StoredCredentials before, String passwordHash) {
        database.get().call("renew a password hash", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(RENEW)) {
                statement.setString(1, passwordHash);
                statement.setLong(2, before.hashFingerprint());
                statement.setObject(3, before.id());
                statement.setString(4, before.passwordHash());
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public boolean remove(UUID id) {
        return database.get().call("remove credentials", connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("DELETE FROM client_credentials WHERE id = ?")) {
                statement.setObject(1, id);
                return statement.executeUpdate() > 0;
            }
        });
    }

    @Override
    public Set<UUID> putAll(Collection<StoredCredentials> credentials, boolean replace) {
        credentials.forEach(PostgresCredentials::checkLengths);
        String sql = INSERT + (replace ? " " + REPLACE : " NOTHING") + " RETURNING id";
        return database.get().call("store credentials", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                List<@Nullable Object> groups = new ArrayList<>();
                for (StoredCredentials each : credentials) {
                    groups.add(groups(connection, each).toString());
                }
                statement.setArray(1, column(connection, "uuid", credentials, StoredCredentials::id));
                statement.setArray(2, column(connection, "text", credentials, PostgresCredentials::clientId));
                statement.setArray(3, column(connection, "text", credentials, StoredCredentials::userName));
                statement.setArray(4, column(connection, "text", credentials, StoredCredentials::type));
                statement.setArray(5, connection.createArrayOf("text", groups.toArray()));
                statement.setArray(6, column(connection, "text", credentials, StoredCredentials::passwordHash));
                try (ResultSet rows = statement.executeQuery()) {
                    Set<UUID> stored = new HashSet<>();
                    while (rows.next()) {
                        stored.add(rows.getObject(1, UUID.class));
                    }
                    return stored;
                }
            }
        });
    }

    private static Array column(
            Connection connection,
            String type,
            Collection<StoredCredentials> credentials,
            Function<StoredCredentials, @Nullable Object> value)
            throws SQLException {
        return connection.createArrayOf(type, credentials.stream().map(value).toArray());
    }

    private static Array groups(Connection connection, StoredCredentials credentials) throws SQLException {
        return connection.createArrayOf("text", credentials.groups().toArray());
    }

    private static List<StoredCredentials> readAll(ResultSet rows) throws SQLException {
        List<StoredCredentials> all = new ArrayList<>();
        while (rows.next()) {
            all.add(read(rows));
        }
        return all;
    }

    private static @Nullable String clientId(StoredCredentials credentials) {
        return credentials.clientId() == null ? null : credentials.clientId().value();
    }

    private static void checkLengths(StoredCredentials credentials) {
        checkLength("client id", clientId(credentials));
        checkLength("user name", credentials.userName());
    }

    static StoredCredentials read(ResultSet row) throws SQLException {
        @Nullable String clientId = row.getString("client_id");
        return new StoredCredentials(
                row.getObject("id", UUID.class),
                clientId == null ? null : new ClientId(clientId),
                row.getString("user_name"),
                ClientType.valueOf(row.getString("client_type")),
                List.of((String[]) row.getArray("client_groups").getArray()),
                row.getString("password_hash"),
                row.getObject("renewed_from", Long.class));
    }

    private static void checkLength(String what, @Nullable String name) {
        if (name != null && name.getBytes(UTF_8).length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "the " + what + " of credentials must not exceed " + MAX_NAME_BYTES + " bytes");
        }
    }
}

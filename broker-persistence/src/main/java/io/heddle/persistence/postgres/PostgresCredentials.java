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

    /** @param database is called for each operation; throws StoreUnavailableException while the database is not open */
    public PostgresCredentials(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public @Nullable StoredCredentials find(ClientId clientId, @Nullable String userName) {
        return database.get()
                .first("find credentials", FIND, PostgresCredentials::read, clientId.value(), userName, userName);
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
        return database.get().update("remove credentials", REMOVE, userName, clientId == null ? null : clientId.value())
                > 0;
    }

    @Override
    public List<StoredCredentials> list(int offset, int limit) {
        return database.get().query("list credentials", LIST, PostgresCredentials::read, offset, limit);
    }

    @Override
    public boolean isEmpty() {
        return database.get()
                .query(
                        "look for credentials",
                        "SELECT NOT EXISTS (SELECT FROM client_credentials)",
                        row -> row.getBoolean(1))
                .getFirst();
    }

    @Override
    public List<Names> names(@Nullable UUID after, int limit) {
        return database.get()
                .query(
                        "read the names of credentials",
                        NAMES,
                        row -> new Names(row.getObject("id", UUID.class), clientId(row), row.getString("user_name")),
                        after == null ? BEFORE_ALL : after,
                        limit);
    }

    @Override
    public long count() {
        return database.get()
                .query("count credentials", "SELECT count(*) FROM client_credentials", row -> row.getLong(1))
                .getFirst();
    }

    @Override
    public @Nullable StoredCredentials get(UUID id) {
        List<StoredCredentials> found = get(List.of(id));
        return found.isEmpty() ? null : found.getFirst();
    }

    @Override
    public List<StoredCredentials> get(Collection<UUID> ids) {
        return database.get()
                .call(
                        "read credentials",
                        connection -> PostgresDatabase.query(
                                connection,
                                "SELECT " + COLUMNS + " FROM client_credentials WHERE id = ANY (?::uuid[])",
                                PostgresCredentials::read,
                                connection.createArrayOf("uuid", ids.toArray())));
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
            int changed = database.get()
                    .call(
                            "change credentials",
                            connection -> PostgresDatabase.update(
                                    connection,
                                    UPDATE,
                                    clientId(after),
                                    after.userName(),
                                    after.type().name(),
                                    groups(connection, after),
                                    after.passwordHash(),
                                    before.id(),
                                    clientId(before),
                                    before.userName(),
                                    before.type().name(),
                                    groups(connection, before),
                                    before.passwordHash()));
            return changed == 1 ? CredentialsChange.DONE : CredentialsChange.ABSENT;
        } catch (PostgresException rejected) {
            if (NOT_UNIQUE.equals(rejected.sqlState())) {
                return CredentialsChange.NAMES_TAKEN;
            }
            throw rejected;
        }
    }

    @Override
    public void renew(StoredCredentials before, String passwordHash) {
        database.get()
                .update(
                        "renew a password hash",
                        RENEW,
                        passwordHash,
                        before.hashFingerprint(),
                        before.id(),
                        before.passwordHash());
    }

    @Override
    public boolean remove(UUID id) {
        return database.get().update("remove credentials", "DELETE FROM client_credentials WHERE id = ?", id) > 0;
    }

    @Override
    public Set<UUID> putAll(Collection<StoredCredentials> credentials, boolean replace) {
        credentials.forEach(PostgresCredentials::checkLengths);
        String sql = INSERT + (replace ? " " + REPLACE : " NOTHING") + " RETURNING id";
        return database.get().call("store credentials", connection -> {
            List<@Nullable Object> groups = new ArrayList<>();
            for (StoredCredentials each : credentials) {
                groups.add(groups(connection, each).toString());
            }
            return new HashSet<>(PostgresDatabase.query(
                    connection,
                    sql,
                    row -> row.getObject(1, UUID.class),
                    column(connection, "uuid", credentials, StoredCredentials::id),
                    column(connection, "text", credentials, PostgresCredentials::clientId),
                    column(connection, "text", credentials, StoredCredentials::userName),
                    column(connection, "text", credentials, StoredCredentials::type),
                    connection.createArrayOf("text", groups.toArray()),
                    column(connection, "text", credentials, StoredCredentials::passwordHash)));
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

    private static @Nullable String clientId(StoredCredentials credentials) {
        return credentials.clientId() == null ? null : credentials.clientId().value();
    }

    private static void checkLengths(StoredCredentials credentials) {
        checkLength("client id", clientId(credentials));
        checkLength("user name", credentials.userName());
    }

    private static @Nullable ClientId clientId(ResultSet row) throws SQLException {
        @Nullable String clientId = row.getString("client_id");
        return clientId == null ? null : new ClientId(clientId);
    }

    static StoredCredentials read(ResultSet row) throws SQLException {
        return new StoredCredentials(
                row.getObject("id", UUID.class),
                clientId(row),
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

package io.heddle.persistence.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.directory.SessionDirectory;
import io.heddle.core.session.directory.SessionEntry;
import io.heddle.core.session.directory.SessionEntry.Subscribed;
import io.heddle.core.session.persistent.SessionRecord;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The persistent sessions in the table {@code client_session}. */
public final class PostgresSessionDirectory implements SessionDirectory {
    // The database builds the JSON, so that every text is a parameter. The field of a missing identifier is omitted.
    private static final String PUT = """
            INSERT INTO client_session (client_key, client_id, client_type, user_name, owner, expiry_seconds, generation, epoch,
                                        away_since, subscription_count, fingerprint, subscriptions)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                    (SELECT coalesce(
                                jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                                    'filter', filter,
                                    'qos', qos,
                                    'noLocal', no_local,
                                    'retainAsPublished', retain_as_published,
                                    'identifier', nullif(identifier, 0)))),
                                '[]')
                       FROM unnest(?::text[], ?::integer[], ?::boolean[], ?::boolean[], ?::integer[])
                            AS subscription (filter, qos, no_local, retain_as_published, identifier)))
            ON CONFLICT (client_key) DO UPDATE
               SET client_type = EXCLUDED.client_type,
                   user_name = EXCLUDED.user_name,
                   owner = EXCLUDED.owner,
                   expiry_seconds = EXCLUDED.expiry_seconds,
                   generation = EXCLUDED.generation,
                   epoch = EXCLUDED.epoch,
                   away_since = EXCLUDED.away_since,
                   subscription_count = EXCLUDED.subscription_count,
                   fingerprint = EXCLUDED.fingerprint,
                   subscriptions = EXCLUDED.subscriptions,
                   updated_at = now()
             WHERE client_session.epoch <= EXCLUDED.epoch""";

    private static final String REMOVE = """
            DELETE FROM client_session
             USING unnest(?::bytea[], ?::bigint[]) AS ended (client_key, epoch)
             WHERE client_session.client_key = ended.client_key
               AND client_session.epoch <= ended.epoch""";

    private static final String PAGE = """
            SELECT client_id, epoch, fingerprint
              FROM client_session
             WHERE client_key > ?
             ORDER BY client_key
             LIMIT ?""";

    private static final String FIND = """
            SELECT client_type, user_name, owner, expiry_seconds, generation, epoch, away_since, subscription_count, fingerprint,
                   filter, qos, "noLocal", "retainAsPublished", identifier
              FROM client_session
              LEFT JOIN LATERAL jsonb_to_recordset(subscriptions)
                   AS subscription (filter text, qos integer, "noLocal" boolean, "retainAsPublished" boolean, identifier integer)
                   ON true
             WHERE client_key = ?""";

    private static final byte[] BEFORE_ALL = {};

    private final Supplier<PostgresDatabase> database;

    /**
     * Creates an adapter for a database that may be opened later.
     *
     * @param database is called for each operation; throws StoreUnavailableException while the database is not open
     */
    public PostgresSessionDirectory(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    // In a transaction, so that rows stay locked until its end: a call that timed out and that the server executes
    // late cannot overwrite the rows of a later call.
    @Override
    public void put(List<SessionEntry> entries) {
        database.get().inTransaction("store sessions", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(PUT)) {
                for (SessionEntry entry : entries) {
                    bind(connection, statement, entry);
                    statement.addBatch();
                }
                return statement.executeBatch();
            }
        });
    }

    private static void bind(Connection connection, PreparedStatement statement, SessionEntry entry)
            throws SQLException {
        SessionRecord session = entry.record();
        statement.setBytes(1, key(entry.clientId()));
        statement.setString(2, entry.clientId().value());
        statement.setString(3, session.type().name());
        statement.setString(4, session.userName());
        statement.setString(5, session.isAway() ? null : session.owner());
        statement.setLong(6, session.expirySeconds());
        statement.setLong(7, session.generation());
        statement.setLong(8, session.epoch());
        statement.setObject(9, session.isAway() ? time(session.awaySinceMillis()) : null);
        statement.setInt(10, entry.subscriptionCount());
        statement.setLong(11, entry.fingerprint());
        List<Subscribed> subscriptions = entry.subscriptions();
        statement.setArray(12, array(connection, "text", subscriptions, Subscribed::topicFilter));
        statement.setArray(
                13,
                array(
                        connection,
                        "integer",
                        subscriptions,
                        subscribed -> subscribed.qos().level()));
        statement.setArray(14, array(connection, "boolean", subscriptions, Subscribed::noLocal));
        statement.setArray(15, array(connection, "boolean", subscriptions, Subscribed::retainAsPublished));
        statement.setArray(16, array(connection, "integer", subscriptions, Subscribed::identifier));
    }

    private static <T> Array array(Connection connection, String type, List<T> rows, Function<T, Object> column)
            throws SQLException {
        return connection.createArrayOf(type, rows.stream().map(column).toArray());
    }

    private static OffsetDateTime time(long millis) {
        return Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC);
    }

    @Override
    public int remove(Map<ClientId, Long> epochs) {
        return database.get().inTransaction("remove sessions", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(REMOVE)) {
                List<ClientId> clientIds = List.copyOf(epochs.keySet());
                byte[][] keys =
                        clientIds.stream().map(PostgresSessionDirectory::key).toArray(byte[][]::new);
                statement.setArray(1, connection.createArrayOf("bytea", keys));
                statement.setArray(
                        2,
                        array(
                                connection,
                                "bigint",
                                clientIds,
                                clientId -> Objects.requireNonNull(epochs.get(clientId))));
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public List<Stored> page(@Nullable ClientId after, int limit) {
        return database.get().call("read sessions", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(PAGE)) {
                statement.setBytes(1, after == null ? BEFORE_ALL : key(after));
                statement.setInt(2, limit);
                try (ResultSet rows = statement.executeQuery()) {
                    List<Stored> page = new ArrayList<>();
                    while (rows.next()) {
                        page.add(new Stored(new ClientId(rows.getString(1)), rows.getLong(2), rows.getLong(3)));
                    }
                    return page;
                }
            }
        });
    }

    @Override
    public @Nullable SessionEntry find(ClientId clientId) {
        return database.get().<@Nullable SessionEntry>call("find a session", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(FIND)) {
                statement.setBytes(1, key(clientId));
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? read(clientId, rows) : null;
                }
            }
        });
    }

    /** Reads one row for each subscription, or a single row without one. */
    private static SessionEntry read(ClientId clientId, ResultSet rows) throws SQLException {
        @Nullable String owner = rows.getString("owner");
        @Nullable OffsetDateTime awaySince = rows.getObject("away_since", OffsetDateTime.class);
        SessionRecord record = new SessionRecord(
                rows.getLong("generation"),
                ClientType.valueOf(rows.getString("client_type")),
                rows.getString("user_name"),
                rows.getLong("expiry_seconds"),
                owner == null ? "" : owner,
                rows.getLong("epoch"),
                awaySince == null ? 0 : awaySince.toInstant().toEpochMilli());
        int count = rows.getInt("subscription_count");
        long fingerprint = rows.getLong("fingerprint");
        List<Subscribed> subscriptions = new ArrayList<>();
        do {
            @Nullable String filter = rows.getString("filter");
            if (filter != null) {
                subscriptions.add(new Subscribed(
                        filter,
                        QoS.ofLevel(rows.getInt("qos")),
                        rows.getBoolean("noLocal"),
                        rows.getBoolean("retainAsPublished"),
                        rows.getInt("identifier")));
            }
        } while (rows.next());
        return new SessionEntry(clientId, record, count, subscriptions, fingerprint);
    }

    private static byte[] key(ClientId clientId) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(clientId.value().getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}

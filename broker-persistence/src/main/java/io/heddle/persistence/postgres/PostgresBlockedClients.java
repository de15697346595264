package io.heddle.persistence.postgres;

import io.heddle.core.authentication.blocked.BlockedClient;
import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The blocked clients in the table {@code blocked_client}. Nodes that store entries at the same time may exceed the maximum by a few. */
public final class PostgresBlockedClients implements BlockedClientStore {
    private static final String IN_FORCE = "(until IS NULL OR until > now())";
    private static final String ALL =
            "SELECT id, kind, value, reason, until, created_by, created_at FROM blocked_client WHERE " + IN_FORCE;
    private static final String FIND = ALL + " AND id = ?";
    private static final String REMOVE_ENDED = "DELETE FROM blocked_client WHERE until <= now()";
    private static final String PUT = """
            INSERT INTO blocked_client (id, kind, value, reason, until, created_by, created_at)
            SELECT ?, ?, ?, ?, ?, ?, ?
            WHERE (SELECT count(*) FROM blocked_client) < ?
                OR EXISTS (SELECT FROM blocked_client WHERE kind = ? AND value = ?)
            ON CONFLICT (kind, value) DO UPDATE
            SET id = excluded.id, reason = excluded.reason, until = excluded.until, created_by = excluded.created_by,
                created_at = excluded.created_at
            WHERE NOT ?
            """;
    private static final String IS_STORED = "SELECT FROM blocked_client WHERE kind = ? AND value = ?";

    private final Supplier<PostgresDatabase> database;

    /**
     * Creates an adapter for a database that may be opened later.
     *
     * @param database is called for each operation; throws StoreUnavailableException while the database is not open
     */
    public PostgresBlockedClients(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public List<BlockedClient> all() {
        return database.get().call("read the blocked clients", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(ALL)) {
                return read(statement);
            }
        });
    }

    @Override
    public @Nullable BlockedClient find(UUID id) {
        return database.get().<@Nullable BlockedClient>call("find a blocked client", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(FIND)) {
                statement.setObject(1, id);
                List<BlockedClient> found = read(statement);
                return found.isEmpty() ? null : found.getFirst();
            }
        });
    }

    @Override
    public boolean put(BlockedClient entry) {
        return database.get().inTransaction("block a client", connection -> {
            try (Statement ended = connection.createStatement()) {
                ended.executeUpdate(REMOVE_ENDED);
            }
            try (PreparedStatement statement = connection.prepareStatement(PUT)) {
                statement.setObject(1, entry.id());
                statement.setString(2, entry.kind().name());
                statement.setString(3, entry.value());
                statement.setString(4, entry.reason());
                statement.setObject(5, time(entry.until()));
                statement.setString(6, entry.createdBy());
                statement.setObject(7, time(entry.createdAt()));
                statement.setInt(8, entry.isFlapping() ? MAXIMUM_FOR_FLAPPING : MAXIMUM);
                statement.setString(9, entry.kind().name());
                statement.setString(10, entry.value());
                statement.setBoolean(11, entry.isFlapping());
                if (statement.executeUpdate() > 0) {
                    return true;
                }
            }
            try (PreparedStatement statement = connection.prepareStatement(IS_STORED)) {
                statement.setString(1, entry.kind().name());
                statement.setString(2, entry.value());
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next();
                }
            }
        });
    }

    @Override
    public void remove(UUID id) {
        database.get().call("lift the block of a client", connection -> {
            try (PreparedStatement statement = connection.prepareStatement("DELETE FROM blocked_client WHERE id = ?")) {
                statement.setObject(1, id);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public void removeEnded() {
        database.get().call("remove blocks that have ended", connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.executeUpdate(REMOVE_ENDED);
            }
        });
    }

    private static List<BlockedClient> read(PreparedStatement statement) throws SQLException {
        List<BlockedClient> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                OffsetDateTime until = rows.getObject("until", OffsetDateTime.class);
                found.add(new BlockedClient(
                        rows.getObject("id", UUID.class),
                        Kind.valueOf(rows.getString("kind")),
                        rows.getString("value"),
                        rows.getString("reason"),
                        until == null ? null : until.toInstant(),
                        rows.getString("created_by"),
                        rows.getObject("created_at", OffsetDateTime.class).toInstant()));
            }
        }
        return found;
    }

    private static @Nullable OffsetDateTime time(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }
}

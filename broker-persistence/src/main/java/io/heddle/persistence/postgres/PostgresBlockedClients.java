package io.heddle.persistence.postgres;

import io.heddle.core.authentication.blocked.BlockedClient;
import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
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

    /** @param database is called for each operation; throws StoreUnavailableException while the database is not open */
    public PostgresBlockedClients(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public List<BlockedClient> all() {
        return database.get().query("read the blocked clients", ALL, PostgresBlockedClients::read);
    }

    @Override
    public @Nullable BlockedClient find(UUID id) {
        return database.get().first("find a blocked client", FIND, PostgresBlockedClients::read, id);
    }

    @Override
    public boolean put(BlockedClient entry) {
        return database.get().inTransaction("block a client", connection -> {
            PostgresDatabase.update(connection, REMOVE_ENDED);
            String kind = entry.kind().name();
            return PostgresDatabase.update(
                                    connection,
                                    PUT,
                                    entry.id(),
                                    kind,
                                    entry.value(),
                                    entry.reason(),
                                    entry.until(),
                                    entry.createdBy(),
                                    entry.createdAt(),
                                    entry.isFlapping() ? MAXIMUM_FOR_FLAPPING : MAXIMUM,
                                    kind,
                                    entry.value(),
                                    entry.isFlapping())
                            > 0
                    || !PostgresDatabase.query(connection, IS_STORED, _ -> true, kind, entry.value())
                            .isEmpty();
        });
    }

    @Override
    public void remove(UUID id) {
        database.get().update("lift the block of a client", "DELETE FROM blocked_client WHERE id = ?", id);
    }

    @Override
    public void removeEnded() {
        database.get().update("remove blocks that have ended", REMOVE_ENDED);
    }

    private static BlockedClient read(ResultSet row) throws SQLException {
        OffsetDateTime until = row.getObject("until", OffsetDateTime.class);
        return new BlockedClient(
                row.getObject("id", UUID.class),
                Kind.valueOf(row.getString("kind")),
                row.getString("value"),
                row.getString("reason"),
                until == null ? null : until.toInstant(),
                row.getString("created_by"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }
}

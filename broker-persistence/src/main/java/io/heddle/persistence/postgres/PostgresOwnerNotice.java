package io.heddle.persistence.postgres;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.OwnerNotice;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The last owner of the buckets in the one row of the table {@code cluster_owner}. */
public final class PostgresOwnerNotice implements OwnerNotice {
    private static final String READ = "SELECT incarnation FROM cluster_owner";
    private static final String INSERT = "INSERT INTO cluster_owner (incarnation) VALUES (?) ON CONFLICT DO NOTHING";
    private static final String UPDATE =
            "UPDATE cluster_owner SET incarnation = ?, updated_at = now() WHERE incarnation = ?";

    private final Supplier<PostgresDatabase> database;

    /**
     * Creates an adapter for a database that may be opened later.
     *
     * @param database is called for each operation; throws StoreUnavailableException while the database is not open
     */
    public PostgresOwnerNotice(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public @Nullable Incarnation read() {
        return database.get().<@Nullable Incarnation>call("read the owner of the cluster", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(READ);
                    ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Incarnation.parse(rows.getString(1)) : null;
            }
        });
    }

    // A call that timed out and that the server executes late changes nothing once another owner stands there.
    @Override
    public boolean replace(@Nullable Incarnation before, Incarnation owner) {
        return database.get().call("store the owner of the cluster", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(before == null ? INSERT : UPDATE)) {
                statement.setString(1, owner.toString());
                if (before != null) {
                    statement.setString(2, before.toString());
                }
                return statement.executeUpdate() == 1;
            }
        });
    }
}

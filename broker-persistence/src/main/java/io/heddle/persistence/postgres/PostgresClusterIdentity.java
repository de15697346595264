package io.heddle.persistence.postgres;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * The id of the cluster, created when its first node starts and never changed. PostgreSQL is authoritative. The other stores contain a
 * copy, so that a node detects a store of another cluster.
 */
public final class PostgresClusterIdentity {
    private final PostgresDatabase database;

    public PostgresClusterIdentity(PostgresDatabase database) {
        this.database = database;
    }

    /**
     * Returns whether the cluster has an id, which the start of its first node creates.
     *
     * @throws io.heddle.core.StoreUnavailableException when the database does not answer
     */
    public boolean exists() {
        return !database.query("check for a cluster id", "SELECT 1 FROM cluster_identity", _ -> true)
                .isEmpty();
    }

    /**
     * Returns the cluster's id and creates it if there is none. Nodes that start concurrently for the first time get the same id.
     *
     * @throws io.heddle.core.StoreUnavailableException when the database does not answer
     */
    public UUID id() {
        return database.call("read the cluster id", connection -> {
            PostgresDatabase.update(
                    connection,
                    "INSERT INTO cluster_identity (cluster_id) VALUES (gen_random_uuid()) ON CONFLICT DO NOTHING");
            List<UUID> ids = PostgresDatabase.query(
                    connection, "SELECT cluster_id FROM cluster_identity", row -> row.getObject(1, UUID.class));
            if (ids.isEmpty()) {
                throw new SQLException("the row of cluster_identity disappeared while it was read");
            }
            return ids.getFirst();
        });
    }
}

package io.heddle.persistence.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
        return database.call("check for a cluster id", connection -> {
            try (PreparedStatement read = connection.prepareStatement("SELECT 1 FROM cluster_identity");
                    ResultSet rows = read.executeQuery()) {
                return rows.next();
            }
        });
    }

    /**
     * Returns the cluster's id and creates it if there is none. Nodes that start concurrently for the first time get the same id.
     *
     * @throws io.heddle.core.StoreUnavailableException when the database does not answer
     */
    public UUID id() {
        return database.call("read the cluster id", connection -> {
            try (PreparedStatement create = connection.prepareStatement(
                            "INSERT INTO cluster_identity (cluster_id) VALUES (gen_random_uuid()) ON CONFLICT DO NOTHING");
                    PreparedStatement read = connection.prepareStatement("SELECT cluster_id FROM cluster_identity")) {
                create.executeUpdate();
                try (ResultSet rows = read.executeQuery()) {
                    if (!rows.next()) {
                        throw new SQLException("the row of cluster_identity disappeared while it was read");
                    }
                    return rows.getObject(1, UUID.class);
                }
            }
        });
    }
}

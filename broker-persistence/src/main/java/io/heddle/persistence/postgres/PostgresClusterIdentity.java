package io.heddle.persistence.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The id of the cluster, drawn once when its first node starts and never changed. PostgreSQL is where it is decided; the other
 * stores carry a copy, so that a node can tell when it is pointed at somebody else's.
 */
public final class PostgresClusterIdentity {
    private final PostgresDatabase database;

    public PostgresClusterIdentity(PostgresDatabase database) {
        this.database = database;
    }

    /**
     * Whether the cluster has an id; it has none before its first node starts.
     *
     * @throws io.heddle.core.StoreUnavailableException when the database does not answer
     */
    public boolean exists() {
        return database.call("read whether the cluster has an id", connection -> {
            try (PreparedStatement read = connection.prepareStatement("SELECT 1 FROM cluster_identity");
                    ResultSet rows = read.executeQuery()) {
                return rows.next();
            }
        });
    }

    /**
     * The cluster's id; all nodes see the same, also those that start together for the first time.
     *
     * @throws io.heddle.core.StoreUnavailableException when the database does not answer
     */
    public UUID id() {
        return database.call("read the cluster's id", connection -> {
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

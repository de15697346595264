package io.heddle.persistence.postgres;

import io.heddle.core.cluster.EndNotices;
import io.heddle.core.cluster.Incarnation;
import java.util.Set;
import java.util.function.Supplier;

/** The ended incarnations in the table {@code ended_node}. */
public final class PostgresEndNotices implements EndNotices {
    private static final String CONTAINS = "SELECT 1 FROM ended_node WHERE incarnation = ?";
    // In order, so that nodes that add the same incarnations do not wait for each other in a circle.
    private static final String ADD =
            "INSERT INTO ended_node (incarnation) SELECT unnest(?::text[]) ORDER BY 1 ON CONFLICT DO NOTHING";
    private static final String REMOVE_OLDEST = "DELETE FROM ended_node WHERE incarnation IN"
            + " (SELECT incarnation FROM ended_node ORDER BY noted_at DESC, incarnation OFFSET ?)";

    private final Supplier<PostgresDatabase> database;

    /**
     * Creates an adapter for a database that may be opened later.
     *
     * @param database is called for each operation; throws StoreUnavailableException while the database is not open
     */
    public PostgresEndNotices(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public void add(Set<Incarnation> ended) {
        Object[] texts = ended.stream().map(Incarnation::toString).toArray();
        var _ = database.get().<Integer>call("note ended nodes", connection -> {
            PostgresDatabase.update(connection, ADD, connection.createArrayOf("text", texts));
            return PostgresDatabase.update(connection, REMOVE_OLDEST, CAPACITY);
        });
    }

    @Override
    public boolean contains(Incarnation incarnation) {
        return !database.get()
                .query("look for a notice of an ended node", CONTAINS, _ -> true, incarnation.toString())
                .isEmpty();
    }
}

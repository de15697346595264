package io.heddle.persistence.postgres;

import io.heddle.core.authorization.RuleStore;
import io.heddle.core.authorization.StoredRules;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rules for topics in the table {@code topic_rules}. */
public final class PostgresRules implements RuleStore {
    private static final String COLUMNS = "version, text, changed_by, changed_at";
    private static final String FIND = "SELECT " + COLUMNS + " FROM topic_rules";
    private static final String CREATE = """
            INSERT INTO topic_rules (version, text, changed_by) VALUES (?, ?, ?)
            ON CONFLICT DO NOTHING RETURNING\s""" + COLUMNS;
    private static final String REPLACE = """
            UPDATE topic_rules SET version = ?, text = ?, changed_by = ?, changed_at = now() WHERE version = ?
            RETURNING\s""" + COLUMNS;

    private final Supplier<PostgresDatabase> database;

    /**
     * Creates an adapter for a database that may be opened later.
     *
     * @param database is called for each operation; throws StoreUnavailableException while the database is not open
     */
    public PostgresRules(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public @Nullable StoredRules find() {
        return database.get().<@Nullable StoredRules>call("read the rules", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(FIND)) {
                return first(statement);
            }
        });
    }

    @Override
    public @Nullable StoredRules replace(long present, long version, String text, String changedBy) {
        return database.get().<@Nullable StoredRules>call("store the rules", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(present == 0 ? CREATE : REPLACE)) {
                statement.setLong(1, version);
                statement.setString(2, text);
                statement.setString(3, changedBy);
                if (present != 0) {
                    statement.setLong(4, present);
                }
                return first(statement);
            }
        });
    }

    private static @Nullable StoredRules first(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next()
                    ? new StoredRules(
                            rows.getLong("version"),
                            rows.getString("text"),
                            rows.getString("changed_by"),
                            rows.getObject("changed_at", OffsetDateTime.class).toInstant())
                    : null;
        }
    }
}

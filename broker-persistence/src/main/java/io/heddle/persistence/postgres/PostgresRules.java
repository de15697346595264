package io.heddle.persistence.postgres;

import io.heddle.core.authorization.RuleStore;
import io.heddle.core.authorization.StoredRules;
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

    /** @param database is called for each operation; throws StoreUnavailableException while the database is not open */
    public PostgresRules(Supplier<PostgresDatabase> database) {
        this.database = database;
    }

    @Override
    public @Nullable StoredRules find() {
        return database.get().first("read the rules", FIND, PostgresRules::read);
    }

    @Override
    public @Nullable StoredRules replace(long present, long version, String text, String changedBy) {
        String action = "store the rules";
        return present == 0
                ? database.get().first(action, CREATE, PostgresRules::read, version, text, changedBy)
                : database.get().first(action, REPLACE, PostgresRules::read, version, text, changedBy, present);
    }

    private static StoredRules read(ResultSet row) throws SQLException {
        return new StoredRules(
                row.getLong("version"),
                row.getString("text"),
                row.getString("changed_by"),
                row.getObject("changed_at", OffsetDateTime.class).toInstant());
    }
}

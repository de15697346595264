package io.heddle.persistence.postgres;

import io.heddle.core.administration.AuditAttempt;
import io.heddle.core.administration.AuditEntry;
import io.heddle.core.administration.AuditFilter;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.administration.AuditOutcome;
import io.heddle.core.administration.AuditQuery;
import io.heddle.core.administration.AuditResult;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The changes of administrators in the table {@code audit_entry}. */
public final class PostgresAuditLog implements AuditLog {
    private static final String BEGIN = """
            INSERT INTO audit_entry (administrator, address, action, target, before_change)
            VALUES (?, ?, ?, ?, ?) RETURNING id""";

    private static final String COMPLETE =
            "UPDATE audit_entry SET outcome = ?, after_change = ?, detail = ? WHERE id = ?";

    private static final String REMOVE_OLDEST = "DELETE FROM audit_entry WHERE id <= ?";

    /** The oldest entries are removed together with each entry whose id is a multiple of this number. */
    private static final int REMOVAL_PAUSE = 1_000;

    private final Supplier<PostgresDatabase> database;
    private final int capacity;

    /** @param database is called for each operation; throws StoreUnavailableException while the database is not open */
    public PostgresAuditLog(Supplier<PostgresDatabase> database) {
        this(database, CAPACITY);
    }

    /** @param capacity the number of entries to keep */
    PostgresAuditLog(Supplier<PostgresDatabase> database, int capacity) {
        this.database = database;
        this.capacity = capacity;
    }

    @Override
    public long begin(AuditAttempt attempt) {
        long id = database.get()
                .query(
                        "add an entry to the audit log",
                        BEGIN,
                        row -> row.getLong(1),
                        attempt.administrator(),
                        attempt.address(),
                        attempt.action(),
                        attempt.target(),
                        attempt.before())
                .getFirst();
        if (id % REMOVAL_PAUSE == 0) {
            database.get().update("remove the oldest entries of the audit log", REMOVE_OLDEST, id - capacity);
        }
        return id;
    }

    @Override
    public void complete(long id, AuditResult result) {
        database.get()
                .update(
                        "complete an entry of the audit log",
                        COMPLETE,
                        result.outcome().name(),
                        result.after(),
                        result.detail(),
                        id);
    }

    @Override
    public List<AuditEntry> list(AuditQuery query) {
        List<Object> values = new ArrayList<>();
        String sql = select(query, values);
        return database.get().query("list the audit log", sql, PostgresAuditLog::read, values.toArray());
    }

    /** Returns the statement, whose parameters it adds to {@code values}: only conditions that are set, so that an index serves it. */
    static String select(AuditQuery query, List<Object> values) {
        StringBuilder sql = new StringBuilder("SELECT * FROM audit_entry WHERE true");
        AuditFilter filter = query.filter();
        AuditOutcome outcome = filter.outcome();
        addEqual("administrator", filter.administrator(), sql, values);
        addEqual("action", filter.action(), sql, values);
        addEqual("target", filter.target(), sql, values);
        addEqual("outcome", outcome == null ? null : outcome.name(), sql, values);
        if (filter.from() != null) {
            sql.append(" AND happened_at >= ?");
            values.add(filter.from());
        }
        if (filter.until() != null) {
            sql.append(" AND happened_at < ?");
            values.add(filter.until());
        }
        String direction = query.newestFirst() ? "DESC" : "ASC";
        AuditQuery.Position after = query.after();
        if (after != null) {
            sql.append(" AND (happened_at, id) ")
                    .append(query.newestFirst() ? "<" : ">")
                    .append(" (?, ?)");
            values.add(after.time());
            values.add(after.id());
        }
        sql.append(" ORDER BY happened_at ")
                .append(direction)
                .append(", id ")
                .append(direction)
                .append(" LIMIT ?");
        values.add(query.limit());
        return sql.toString();
    }

    private static void addEqual(String column, @Nullable String value, StringBuilder sql, List<Object> values) {
        if (value != null) {
            sql.append(" AND ").append(column).append(" = ?");
            values.add(value);
        }
    }

    private static AuditEntry read(ResultSet row) throws SQLException {
        return new AuditEntry(
                row.getLong("id"),
                row.getObject("happened_at", OffsetDateTime.class).toInstant(),
                new AuditAttempt(
                        row.getString("administrator"),
                        row.getString("address"),
                        row.getString("action"),
                        row.getString("target"),
                        row.getString("before_change")),
                new AuditResult(
                        AuditOutcome.valueOf(row.getString("outcome")),
                        row.getString("after_change"),
                        row.getString("detail")));
    }
}

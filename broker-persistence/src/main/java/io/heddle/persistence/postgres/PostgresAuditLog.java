package io.heddle.persistence.postgres;

import io.heddle.core.administration.AuditAttempt;
import io.heddle.core.administration.AuditEntry;
import io.heddle.core.administration.AuditFilter;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.administration.AuditOutcome;
import io.heddle.core.administration.AuditQuery;
import io.heddle.core.administration.AuditResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
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

    /**
     * Creates an adapter for a database that may be opened later.
     *
     * @param database is called for each operation; throws StoreUnavailableException while the database is not open
     */
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
        long id = database.get().call("add an entry to the audit log", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(BEGIN)) {
                statement.setString(1, attempt.administrator());
                statement.setString(2, attempt.address());
                statement.setString(3, attempt.action());
                statement.setString(4, attempt.target());
                statement.setString(5, attempt.before());
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    return rows.getLong(1);
                }
            }
        });
        if (id % REMOVAL_PAUSE == 0) {
            removeUpTo(id - capacity);
        }
        return id;
    }

    private void removeUpTo(long id) {
        var _ = database.get().<Integer>call("remove the oldest entries of the audit log", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(REMOVE_OLDEST)) {
                statement.setLong(1, id);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public void complete(long id, AuditResult result) {
        var _ = database.get().<Integer>call("complete an entry of the audit log", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(COMPLETE)) {
                statement.setString(1, result.outcome().name());
                statement.setString(2, result.after());
                statement.setString(3, result.detail());
                statement.setLong(4, id);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public List<AuditEntry> list(AuditQuery query) {
        List<Object> values = new ArrayList<>();
        String sql = select(query, values);
        return database.get().call("list the audit log", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.size(); i++) {
                    statement.setObject(i + 1, values.get(i));
                }
                try (ResultSet rows = statement.executeQuery()) {
                    List<AuditEntry> page = new ArrayList<>();
                    while (rows.next()) {
                        page.add(read(rows));
                    }
                    return page;
                }
            }
        });
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
            values.add(timestamp(filter.from()));
        }
        if (filter.until() != null) {
            sql.append(" AND happened_at < ?");
            values.add(timestamp(filter.until()));
        }
        String direction = query.newestFirst() ? "DESC" : "ASC";
        AuditQuery.Position after = query.after();
        if (after != null) {
            sql.append(" AND (happened_at, id) ")
                    .append(query.newestFirst() ? "<" : ">")
                    .append(" (?, ?)");
            values.add(timestamp(after.time()));
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

    private static OffsetDateTime timestamp(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
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

package io.heddle.persistence.postgres;

import io.heddle.core.administration.AccountQuery;
import io.heddle.persistence.postgres.PostgresDatabase.Row;
import java.util.ArrayList;
import java.util.List;

/** Pages of a table whose rows have a unique name and a role. */
final class AccountPages {
    private AccountPages() {}

    /**
     * @param select the columns and the table
     * @param name the column that orders the rows
     */
    static <T> List<T> read(
            PostgresDatabase database, String action, String select, String name, AccountQuery query, Row<T> row) {
        List<Object> values = new ArrayList<>();
        StringBuilder sql = new StringBuilder(select).append(" WHERE true");
        if (query.role() != null) {
            sql.append(" AND role = ?");
            values.add(query.role().name());
        }
        if (query.after() != null) {
            sql.append(" AND ").append(name).append(query.isDescending() ? " < ?" : " > ?");
            values.add(query.after());
        }
        sql.append(" ORDER BY ").append(name).append(query.isDescending() ? " DESC" : "");
        values.add(query.limit());
        return database.query(action, sql.append(" LIMIT ?").toString(), row, values.toArray());
    }
}

package io.heddle.persistence.postgres;

import io.heddle.core.administration.AccountQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Pages of a table whose rows have a unique name and a role. */
final class AccountPages {
    private AccountPages() {}

    /** Reads a row. */
    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /**
     * Reads a page.
     *
     * @param select the columns and the table
     * @param name the column that orders the rows
     */
    static <T> List<T> read(Connection connection, String select, String name, AccountQuery query, RowReader<T> reader)
            throws SQLException {
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
        try (PreparedStatement statement =
                connection.prepareStatement(sql.append(" LIMIT ?").toString())) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                List<T> page = new ArrayList<>();
                while (rows.next()) {
                    page.add(reader.read(rows));
                }
                return page;
            }
        }
    }
}

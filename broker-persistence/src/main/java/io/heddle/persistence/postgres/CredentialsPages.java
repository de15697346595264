package io.heddle.persistence.postgres;

import io.heddle.core.authentication.CredentialsQuery;
import io.heddle.core.authentication.CredentialsQuery.Names;
import io.heddle.core.authentication.CredentialsQuery.Order;
import io.heddle.core.authentication.StoredCredentials;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pages of credentials from the index of their order. A page is read in up to two steps, each of which is one range of the index: the rest of
 * the credentials with the first name of the last ones, then the credentials with greater names. One condition for both would walk the
 * index from its beginning.
 */
final class CredentialsPages {
    /** No name is greater than a prefix followed by this, the greatest code point. */
    private static final String GREATEST = "\uDBFF\uDFFF";

    private final Connection connection;
    private final CredentialsQuery query;
    private final String first;
    private final String second;
    private final List<StoredCredentials> page = new ArrayList<>();

    private CredentialsPages(Connection connection, CredentialsQuery query) {
        this.connection = connection;
        this.query = query;
        this.first = query.order() == Order.USER_NAME ? "user_name" : "client_id";
        this.second = query.order() == Order.USER_NAME ? "client_id" : "user_name";
    }

    static List<StoredCredentials> read(Connection connection, CredentialsQuery query) throws SQLException {
        CredentialsPages pages = new CredentialsPages(connection, query);
        Names after = query.after();
        @Nullable String afterFirst = after == null ? null : pages.isByUser() ? after.userName() : after.clientId();
        @Nullable String afterSecond = after == null ? null : pages.isByUser() ? after.clientId() : after.userName();
        if (afterFirst == null && pages.isByUser() && query.prefix() == null) {
            // A client id has at least one character.
            pages.add("user_name IS NULL AND client_id > ?", afterSecond == null ? "" : afterSecond);
        }
        if (afterFirst != null) {
            pages.addSameName(afterFirst, afterSecond);
        }
        pages.addGreaterNames(afterFirst);
        return pages.page;
    }

    private boolean isByUser() {
        return query.order() == Order.USER_NAME;
    }

    private void addSameName(String name, @Nullable String afterSecond) throws SQLException {
        if (afterSecond == null) {
            add(first + " = ? AND " + second + " IS NOT NULL", name);
        } else {
            add(first + " = ? AND " + second + " > ?", name, afterSecond);
        }
    }

    private void addGreaterNames(@Nullable String afterFirst) throws SQLException {
        String prefix = query.prefix();
        if (prefix == null && afterFirst == null) {
            add(first + " IS NOT NULL");
        } else if (prefix == null) {
            add(first + " > ?", afterFirst);
        } else if (afterFirst == null) {
            add(first + " >= ? AND " + first + " <= ?", prefix, prefix + GREATEST);
        } else {
            add(first + " > ? AND " + first + " <= ?", afterFirst, prefix + GREATEST);
        }
    }

    private void add(String condition, @Nullable String... values) throws SQLException {
        int missing = query.limit() - page.size();
        if (missing == 0) {
            return;
        }
        String sql = "SELECT " + PostgresCredentials.COLUMNS + " FROM client_credentials WHERE " + condition
                + " ORDER BY " + first + " NULLS FIRST, " + second + " NULLS FIRST LIMIT ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.setInt(values.length + 1, missing);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    page.add(PostgresCredentials.read(rows));
                }
            }
        }
    }
}

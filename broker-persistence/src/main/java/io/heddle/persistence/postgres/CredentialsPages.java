package io.heddle.persistence.postgres;

import io.heddle.core.authentication.CredentialsQuery;
import io.heddle.core.authentication.CredentialsQuery.Names;
import io.heddle.core.authentication.CredentialsQuery.Order;
import io.heddle.core.authentication.StoredCredentials;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pages of credentials from the index of their order. A page is read in up to four steps, each of which is one range of the index: the rest of
 * the credentials with the first name of the last ones, and the credentials with the following names. One condition for all would walk the
 * index from its beginning.
 */
final class CredentialsPages {
    /** No name is greater than a prefix followed by this, the greatest code point. */
    private static final String GREATEST = "\uDBFF\uDFFF";

    private final CredentialsQuery query;
    private final String first;
    private final String second;
    private final boolean isFirstPage;
    private final @Nullable String afterFirst;
    private final @Nullable String afterSecond;
    private final List<Step> steps = new ArrayList<>();

    /**
     * A range of an index.
     *
     * @param sql its last parameter is the maximum number of rows
     * @param values the other parameters
     */
    record Step(String sql, List<String> values) {}

    private CredentialsPages(CredentialsQuery query) {
        boolean isByUser = query.order() == Order.USER_NAME;
        Names after = query.after();
        this.query = query;
        this.first = isByUser ? "user_name" : "client_id";
        this.second = isByUser ? "client_id" : "user_name";
        this.isFirstPage = after == null;
        this.afterFirst = after == null ? null : isByUser ? after.userName() : after.clientId();
        this.afterSecond = after == null ? null : isByUser ? after.clientId() : after.userName();
    }

    static List<StoredCredentials> read(Connection connection, CredentialsQuery query) throws SQLException {
        List<StoredCredentials> page = new ArrayList<>();
        for (Step step : steps(query)) {
            int missing = query.limit() - page.size();
            if (missing == 0) {
                break;
            }
            List<Object> values = new ArrayList<>(step.values());
            values.add(missing);
            page.addAll(PostgresDatabase.query(connection, step.sql(), PostgresCredentials::read, values.toArray()));
        }
        return page;
    }

    /** Returns the ranges that contain the page, in order. */
    static List<Step> steps(CredentialsQuery query) {
        CredentialsPages pages = new CredentialsPages(query);
        if (query.isDescending()) {
            pages.addDescending();
        } else {
            pages.addAscending();
        }
        return pages.steps;
    }

    /** Only in a list by user name without a prefix there are credentials without the first name. */
    private boolean hasUnnamed() {
        return query.order() == Order.USER_NAME && query.prefix() == null;
    }

    private void addAscending() {
        if (afterFirst == null && hasUnnamed()) {
            // A client id has at least one character.
            add("user_name IS NULL AND client_id > ?", afterSecond == null ? "" : afterSecond);
        }
        if (afterFirst != null) {
            if (afterSecond == null) {
                add(first + " = ? AND " + second + " IS NOT NULL", afterFirst);
            } else {
                add(first + " = ? AND " + second + " > ?", afterFirst, afterSecond);
            }
        }
        addOthers(afterFirst, query.prefix() == null ? null : query.prefix() + GREATEST, ">", "<=");
    }

    private void addDescending() {
        if (afterFirst != null && afterSecond != null) {
            add(first + " = ? AND " + second + " < ?", afterFirst, afterSecond);
            add(first + " = ? AND " + second + " IS NULL", afterFirst);
        }
        if (isFirstPage || afterFirst != null) {
            addOthers(afterFirst, query.prefix(), "<", ">=");
        }
        if (hasUnnamed() && afterFirst == null && afterSecond != null) {
            add("user_name IS NULL AND client_id < ?", afterSecond);
        } else if (hasUnnamed()) {
            add("user_name IS NULL");
        }
    }

    /**
     * Adds the credentials with first names behind that of the last ones.
     *
     * @param end the last possible name with the prefix; null without a prefix
     */
    private void addOthers(@Nullable String last, @Nullable String end, String behind, String until) {
        String prefix = query.prefix();
        if (last != null && end != null) {
            add(first + " " + behind + " ? AND " + first + " " + until + " ?", last, end);
        } else if (last != null) {
            add(first + " " + behind + " ?", last);
        } else if (prefix != null) {
            add(first + " >= ? AND " + first + " <= ?", prefix, prefix + GREATEST);
        } else {
            add(first + " IS NOT NULL");
        }
    }

    private void add(String condition, String... values) {
        // A constant rather than a parameter: only so, PostgreSQL uses the index of APPLICATION clients.
        String type = query.type() == null
                ? ""
                : " AND client_type = '" + query.type().name() + "'";
        steps.add(new Step(
                "SELECT " + PostgresCredentials.COLUMNS + " FROM client_credentials WHERE " + condition + type
                        + " ORDER BY " + order() + " LIMIT ?",
                Arrays.asList(values)));
    }

    /** The order of an index, or its reverse. */
    private String order() {
        return switch (query.order()) {
            case USER_NAME ->
                query.isDescending()
                        ? "user_name DESC NULLS LAST, client_id DESC NULLS LAST"
                        : "user_name NULLS FIRST, client_id NULLS FIRST";
            case CLIENT_ID ->
                query.isDescending() ? "client_id DESC, user_name DESC NULLS LAST" : "client_id, user_name NULLS FIRST";
        };
    }
}

package io.heddle.api.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.problem.FieldProblems;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The parameters that a list accepts: a limit, a cursor, an order and its filters. Immutable.
 *
 * @param sorts the orders, the default first
 * @param filters the names of the other parameters
 * @param defaultLimit the number of entries if the request does not say it
 * @param maximumLimit the greatest number of entries that a request may ask for
 */
public record ListRules(List<String> sorts, Set<String> filters, int defaultLimit, int maximumLimit) {
    /** The number of entries of most lists if the request does not say it. */
    public static final int DEFAULT_LIMIT = 100;
    /** The greatest number of entries that a request may ask for in most lists. */
    public static final int MAX_LIMIT = 1_000;

    private static final int HASH_BYTES = 9;
    private static final String LIMIT = "limit";
    private static final String AFTER = "after";
    private static final String SORT = "sort";

    public ListRules {
        sorts = List.copyOf(sorts);
        filters = Set.copyOf(filters);
    }

    public static ListRules of(List<String> sorts, String... filters) {
        return new ListRules(sorts, Set.of(filters), DEFAULT_LIMIT, MAX_LIMIT);
    }

    /** Returns the same rules with other limits. */
    public ListRules withLimits(int byDefault, int maximum) {
        return new ListRules(sorts, filters, byDefault, maximum);
    }

    /**
     * Reads the parameters of a request ({@code HttpServletRequest.getParameterMap()}).
     *
     * @throws io.heddle.api.problem.RequestProblem if a parameter is unknown, repeated or wrong
     */
    public ListRequest parse(Map<String, String[]> parameters) {
        FieldProblems problems = new FieldProblems();
        parameters.forEach((name, values) -> {
            boolean isKnown = Set.of(LIMIT, AFTER, SORT).contains(name) || filters.contains(name);
            problems.require(isKnown, name, "This list has no such parameter.");
            problems.require(!isKnown || values.length == 1, name, "Give this parameter once.");
        });
        int limit = limit(value(parameters, LIMIT), problems);
        String sort = value(parameters, SORT);
        problems.require(
                sort.isEmpty() || sorts.contains(sort),
                SORT,
                "This list can be sorted by: " + String.join(", ", sorts) + ".");
        problems.throwIfAny();
        return new ListRequest(
                limit,
                Sort.parse(sort.isEmpty() ? sorts.getFirst() : sort),
                hashOfFilters(parameters),
                value(parameters, AFTER),
                parameters);
    }

    /** A cursor has it, so that a list does not go on with other filters than it has begun with. */
    private String hashOfFilters(Map<String, String[]> parameters) {
        MessageDigest digest = Sha256.digest();
        for (String name : new TreeSet<>(filters)) {
            String value = value(parameters, name);
            if (!value.isEmpty()) {
                digest.update((name + "=" + value.length() + ":" + value).getBytes(UTF_8));
            }
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest.digest(), HASH_BYTES));
    }

    private int limit(String text, FieldProblems problems) {
        if (text.isEmpty()) {
            return defaultLimit;
        }
        // No more digits than an int has.
        int limit = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        problems.require(limit >= 1 && limit <= maximumLimit, LIMIT, "Use a number from 1 to " + maximumLimit + ".");
        return limit;
    }

    private static String value(Map<String, String[]> parameters, String name) {
        String[] values = parameters.get(name);
        return values == null || values.length == 0 ? "" : values[0];
    }
}

package io.heddle.api.page;

import io.heddle.api.problem.FieldProblems;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The parameters that a list accepts: a limit, a cursor, an order and its filters. Immutable.
 *
 * @param sorts the orders, the default first
 * @param filters the names of the other parameters
 */
public record ListRules(List<String> sorts, Set<String> filters) {
    /** The number of entries if the request does not say it. */
    public static final int DEFAULT_LIMIT = 100;
    /** The greatest number of entries that a request may ask for. */
    public static final int MAX_LIMIT = 1_000;

    private static final String LIMIT = "limit";
    private static final String AFTER = "after";
    private static final String SORT = "sort";

    public ListRules {
        sorts = List.copyOf(sorts);
        filters = Set.copyOf(filters);
    }

    /** Creates the rules of a list. */
    public static ListRules of(List<String> sorts, String... filters) {
        return new ListRules(sorts, Set.of(filters));
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
                limit, Sort.parse(sort.isEmpty() ? sorts.getFirst() : sort), value(parameters, AFTER), parameters);
    }

    private static int limit(String text, FieldProblems problems) {
        if (text.isEmpty()) {
            return DEFAULT_LIMIT;
        }
        // No more digits than an int has.
        int limit = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        problems.require(limit >= 1 && limit <= MAX_LIMIT, LIMIT, "Use a number from 1 to " + MAX_LIMIT + ".");
        return limit;
    }

    private static String value(Map<String, String[]> parameters, String name) {
        String[] values = parameters.get(name);
        return values == null || values.length == 0 ? "" : values[0];
    }
}

package io.heddle.api.problem;

import java.util.ArrayList;
import java.util.List;

/** Collects the wrong values of one request, so that the answer names all of them. Used by one thread. */
public final class FieldProblems {
    private final List<FieldProblem> problems = new ArrayList<>();

    /** Adds a problem unless the condition holds. */
    public FieldProblems require(boolean condition, String field, String message) {
        if (!condition) {
            add(field, message);
        }
        return this;
    }

    public void add(String field, String message) {
        problems.add(new FieldProblem(field, message));
    }

    /** Ends the request with status 400 if there are problems. */
    public void throwIfAny() {
        if (!problems.isEmpty()) {
            throw RequestProblem.invalid(problems);
        }
    }
}

package io.heddle.app.admin.output;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of commands that print a list in either order. */
public final class OrderOption {
    @Option(names = "--descending", description = "the greatest first")
    private boolean isDescending;

    /** Returns the parameter {@code sort} of a list that is in the ascending order of this field by default; null for that. */
    public @Nullable String ofDefault(String field) {
        return isDescending ? of(field) : null;
    }

    /** Returns the parameter {@code sort} of a list in the order of this field. */
    public String of(String field) {
        return isDescending ? "-" + field : field;
    }
}

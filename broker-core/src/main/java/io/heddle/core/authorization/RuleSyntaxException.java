package io.heddle.core.authorization;

/** A text is not a rule, or not a file of rules. The message names the place, the cause and the remedy. */
public final class RuleSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param column the position in the line, in characters from 1 */
    RuleSyntaxException(int column, String detail) {
        this("column " + column + ": " + detail);
    }

    RuleSyntaxException(String message) {
        super(message);
    }
}

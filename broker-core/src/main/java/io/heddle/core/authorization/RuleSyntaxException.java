package io.heddle.core.authorization;

/** A text is not a rule. The message names the column, the cause and the remedy. */
public final class RuleSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param column the position in the line, in characters from 1 */
    RuleSyntaxException(int column, String detail) {
        super("column " + column + ": " + detail);
    }
}

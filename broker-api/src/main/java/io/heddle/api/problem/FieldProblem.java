package io.heddle.api.problem;

/**
 * A wrong value in a request.
 *
 * @param field the name of a parameter, header or member of the body, for example {@code limit} or {@code names[2].clientId}
 * @param message one sentence for a person that says what is allowed; without the value, which may be a secret
 */
public record FieldProblem(String field, String message) {
    private static final int MAX_FIELD_LENGTH = 64;

    public FieldProblem {
        field = printable(field);
    }

    /** Names of parameters come from the request: keeps only characters that are harmless in every program that shows the problem. */
    private static String printable(String name) {
        StringBuilder printable = new StringBuilder();
        for (int i = 0; i < Math.min(name.length(), MAX_FIELD_LENGTH); i++) {
            char c = name.charAt(i);
            boolean isHarmless = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "_-.[]".indexOf(c) >= 0;
            printable.append(isHarmless ? c : '?');
        }
        return printable.toString();
    }
}

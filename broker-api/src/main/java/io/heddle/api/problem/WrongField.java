package io.heddle.api.problem;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** The field that an exception of Spring is about. */
final class WrongField {
    private WrongField() {}

    /** Returns the field with a sentence, or null if the exception names none. */
    static @Nullable FieldProblem in(Exception exception) {
        return switch (exception) {
            case MissingServletRequestParameterException missing ->
                new FieldProblem(missing.getParameterName(), "This parameter is required.");
            case MethodArgumentTypeMismatchException mismatch ->
                new FieldProblem(mismatch.getName(), sentence(mismatch.getRequiredType()));
            default -> null;
        };
    }

    private static String sentence(@Nullable Class<?> type) {
        if (type == boolean.class || type == Boolean.class) {
            return "Use true or false.";
        }
        if (type == int.class || type == Integer.class) {
            return "Use a decimal number.";
        }
        if (type == UUID.class) {
            return "Use an id as the list of credentials returns it.";
        }
        return "The value does not have the type that the REST interface describes.";
    }
}

package io.heddle.api.problem;

import org.jspecify.annotations.Nullable;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.MismatchedInputException;

/** The field that an exception of Spring or Jackson is about. */
final class WrongField {
    private WrongField() {}

    /** Returns the field with a sentence, or null if the exception names none. */
    static @Nullable FieldProblem in(Exception exception) {
        return switch (exception) {
            case MissingServletRequestParameterException missing ->
                new FieldProblem(missing.getParameterName(), "This parameter is required.");
            case MethodArgumentTypeMismatchException mismatch ->
                new FieldProblem(
                        mismatch.getName(), "The value does not have the type that the REST interface describes.");
            case HttpMessageNotReadableException unreadable
            when unreadable.getCause() instanceof MismatchedInputException mismatch -> of(mismatch);
            default -> null;
        };
    }

    private static @Nullable FieldProblem of(JacksonException mismatch) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : mismatch.getPath()) {
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return path.isEmpty()
                ? null
                : new FieldProblem(
                        path.toString(),
                        "The value is missing or does not have the type that the REST interface describes.");
    }
}

package io.heddle.api.problem;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** What is wrong with a body that is not the expected JSON, and where. Repeats nothing of the body except names of fields. */
final class UnreadableBody {
    private static final String NO_OBJECT = "Send a JSON object as the body of the request.";

    private UnreadableBody() {}

    /** Returns the problem, or null if the exception does not tell it. */
    static @Nullable RequestProblem problem(HttpMessageNotReadableException unreadable) {
        if (unreadable.getCause() == null) {
            // Spring's exception for an empty body and for null.
            return RequestProblem.malformed(NO_OBJECT);
        }
        for (Throwable each = unreadable.getCause(); each != null; each = each.getCause()) {
            if (each instanceof RequestProblem problem) {
                return problem;
            }
            if (each instanceof MismatchedInputException mismatch) {
                return mismatch(mismatch);
            }
            if (each instanceof InputCoercionException number) {
                return outside(number, "The number is too large or too small");
            }
            if (each instanceof StreamConstraintsException value) {
                return outside(value, "The body has a value that is longer, or nested deeper, than the broker accepts");
            }
            if (each instanceof StreamReadException malformed) {
                return malformed(malformed);
            }
        }
        return null;
    }

    private static RequestProblem malformed(StreamReadException malformed) {
        String message = malformed.getOriginalMessage();
        boolean isDuplicate = message != null && message.startsWith("Duplicate");
        return RequestProblem.malformed(
                (isDuplicate ? "The body has a field twice" : "The body is not valid JSON") + place(malformed) + ".");
    }

    /** Returns the problem of a value that is valid JSON, and too large for its field. */
    private static RequestProblem outside(JacksonException failure, String sentence) {
        String field = field(failure);
        if (field.isEmpty() && failure.processor() instanceof JsonParser parser) {
            // The parser fails before the binding to an object knows the path.
            String pointer = parser.streamReadContext().pathAsPointer().toString();
            field = pointer.isEmpty() ? "" : pointer.substring(1).replace('/', '.');
        }
        return field.isEmpty()
                ? RequestProblem.malformed(sentence + place(failure) + ".")
                : RequestProblem.invalid(field, sentence + place(failure) + ".");
    }

    private static RequestProblem mismatch(MismatchedInputException mismatch) {
        String field = field(mismatch);
        if (field.isEmpty()) {
            return RequestProblem.malformed(NO_OBJECT);
        }
        return RequestProblem.invalid(List.of(new FieldProblem(field, sentence(mismatch) + place(mismatch) + ".")));
    }

    private static String sentence(MismatchedInputException mismatch) {
        if (mismatch instanceof UnrecognizedPropertyException) {
            return "The request has no such field";
        }
        Class<?> type = mismatch.getTargetType();
        if (type == null) {
            return "The value is missing or does not have the type that the REST interface describes";
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(Object::toString)
                    .collect(Collectors.joining(", ", "Use one of: ", ""));
        }
        if (type == String.class) {
            return "Use a text";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "Use true or false";
        }
        if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
            return "Use a whole number without quotation marks";
        }
        return "The value is missing or does not have the type that the REST interface describes";
    }

    private static String field(JacksonException mismatch) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : mismatch.getPath()) {
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return path.toString();
    }

    private static String place(JacksonException failure) {
        TokenStreamLocation location = failure.getLocation();
        return location == null || location.getLineNr() < 1
                ? ""
                : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }
}

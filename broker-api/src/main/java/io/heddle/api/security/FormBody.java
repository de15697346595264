package io.heddle.api.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.problem.RequestProblem;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a form. Tomcat would read them past the limits of {@link io.heddle.api.server.BodyLimitFilter}, and from the address, too, which
 * browsers and proxies store. Immutable.
 */
final class FormBody {
    private final Map<String, String> fields;

    private FormBody(Map<String, String> fields) {
        this.fields = Map.copyOf(fields);
    }

    /** Reads the body of a request of the type {@code application/x-www-form-urlencoded}. */
    static FormBody read(HttpServletRequest request) throws IOException {
        String body = new String(request.getInputStream().readAllBytes(), US_ASCII);
        Map<String, String> fields = new HashMap<>();
        for (String field : body.split("&", -1)) {
            int end = field.indexOf('=');
            if (end > 0
                    && fields.putIfAbsent(decoded(field.substring(0, end)), decoded(field.substring(end + 1)))
                            != null) {
                throw RequestProblem.malformed("Give each field of the form once.");
            }
        }
        return new FormBody(fields);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            throw RequestProblem.malformed("The form is not percent-encoded.");
        }
    }

    /** Returns the value of a field, or an empty text. */
    String get(String name) {
        return fields.getOrDefault(name, "");
    }

    /** Returns the value of a field, or null. */
    @Nullable
    String find(String name) {
        return fields.get(name);
    }
}

package io.heddle.app.admin.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;

/**
 * A path of the REST API and its query. Immutable.
 *
 * @param text percent-encoded
 */
public record ApiPath(String text) {
    /** Returns a path without a query. */
    public static ApiPath of(String path) {
        return new ApiPath("/api/v1/" + path);
    }

    /** Adds a parameter, unless its value is null. */
    public ApiPath with(String name, @Nullable Object value) {
        return value == null
                ? this
                : new ApiPath(text
                        + (text.indexOf('?') < 0 ? '?' : '&')
                        + name
                        + '='
                        + URLEncoder.encode(value.toString(), UTF_8));
    }

    /** Adds a part to a path without a query. */
    public ApiPath then(String part) {
        return new ApiPath(text + "/" + part);
    }

    @Override
    public String toString() {
        return text;
    }
}

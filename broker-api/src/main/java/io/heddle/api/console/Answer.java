package io.heddle.api.console;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the REST interface, as templates read it.
 *
 * @param status the HTTP status
 * @param body the JSON object: the answer, or a problem
 * @param etag the version of the object, with its quotation marks; null if it has none
 */
public record Answer(
        int status,
        Map<String, @Nullable Object> body,
        @Nullable String etag) {
    public boolean isOk() {
        return status < 400;
    }
}

package io.heddle.app.admin.request;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A successful answer of the REST API.
 *
 * @param text the body; empty if there is none
 * @param json the body; missing if there is none
 */
public record Answer(String text, JsonNode json) {
    /** Returns the answer with this body. Throws JacksonException if it is not JSON. */
    public static Answer of(String text) {
        return new Answer(text, JsonMapper.shared().readTree(text));
    }
}

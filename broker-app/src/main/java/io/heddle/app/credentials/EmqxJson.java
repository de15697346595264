package io.heddle.app.credentials;

import io.heddle.core.authentication.csv.EmqxUsers;
import io.heddle.core.authentication.csv.EmqxUsers.EmqxUser;
import io.heddle.core.authentication.csv.ImportLine;
import io.heddle.core.authentication.csv.ImportLines;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The users of EMQX's built-in database in JSON: an array of objects with the names of the columns of the CSV. Keeps one of them. */
final class EmqxJson implements ImportLines {
    private final JsonParser json;
    private final EmqxUsers users;
    private boolean isAtEnd;

    /**
     * Reads the beginning of the array.
     *
     * @throws IllegalArgumentException if the file is not an array
     */
    EmqxJson(InputStream input, EmqxUsers users) {
        this.json = JsonMapper.shared().createParser(input);
        this.users = users;
        if (first() != JsonToken.START_ARRAY) {
            throw new IllegalArgumentException("the file must be a JSON array of the users of EMQX");
        }
    }

    private @Nullable JsonToken first() {
        try {
            return json.nextToken();
        } catch (JacksonException notJson) {
            return null;
        }
    }

    @Override
    public @Nullable ImportLine next() {
        if (isAtEnd) {
            return null;
        }
        try {
            JsonToken token = json.nextToken();
            if (token == JsonToken.END_ARRAY) {
                isAtEnd = true;
                return null;
            }
            long line = line();
            JsonNode user = json.readValueAsTree();
            return token == JsonToken.START_OBJECT
                    ? users.line(line, line(), user(user))
                    : ImportLine.wrong(line, line(), "It is not an object with the properties of a user.");
        } catch (JacksonException malformed) {
            isAtEnd = true;
            return ImportLine.wrong(line(), line(), "It is not JSON, so the file is not read any further.");
        }
    }

    private static EmqxUser user(JsonNode user) {
        return new EmqxUser(
                text(user, "user_id"),
                text(user, "password_hash"),
                text(user, "salt"),
                text(user, "password"),
                user.path("is_superuser").asBoolean(false));
    }

    private static @Nullable String text(JsonNode user, String name) {
        JsonNode value = user.path(name);
        return value.isString() ? value.stringValue() : null;
    }

    private long line() {
        return json.currentLocation().getLineNr();
    }
}

package io.heddle.app.credentials;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.authentication.csv.EmqxCsv;
import io.heddle.core.authentication.csv.EmqxUsers;
import io.heddle.core.authentication.csv.HeddleCsv;
import io.heddle.core.authentication.csv.ImportLines;
import io.heddle.core.authentication.csv.MosquittoPasswords;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;

enum FileFormat {
    HEDDLE,
    MOSQUITTO,
    EMQX_CSV,
    EMQX_JSON;

    private static final int BEGINNING_BYTES = 4_096;

    /** Returns the name in the option {@code --format}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Recognizes the format by the first line that is neither empty nor a comment; {@link #HEDDLE} if it is none of the others. */
    static FileFormat recognize(InputStream input) throws IOException {
        String first = new String(input.readNBytes(BEGINNING_BYTES), UTF_8)
                .replace("\uFEFF", "")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .findFirst()
                .orElse("");
        if (first.startsWith("[") || first.startsWith("{")) {
            return EMQX_JSON;
        }
        if (Arrays.asList(first.replace("\"", "").split(" *, *", -1)).contains("user_id")) {
            return EMQX_CSV;
        }
        return first.contains(":") ? MOSQUITTO : HEDDLE;
    }

    boolean isOfEmqx() {
        return this == EMQX_CSV || this == EMQX_JSON;
    }

    /** @throws IllegalArgumentException if the beginning of the file does not have this format */
    ImportLines open(InputStream input, EmqxUsers users) throws IOException {
        return switch (this) {
            case HEDDLE -> new HeddleCsv(input);
            case MOSQUITTO -> new MosquittoPasswords(input);
            case EMQX_CSV -> new EmqxCsv(input, users);
            case EMQX_JSON -> new EmqxJson(input, users);
        };
    }
}

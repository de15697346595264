package io.heddle.core.authentication.csv;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads CSV as RFC 4180 defines it: commas, and quotation marks around fields that contain commas, line breaks or quotation marks, which are
 * doubled. Bounded to {@value #MAX_RECORD_LENGTH} characters a record. Used by one thread.
 */
final class CsvReader {
    private static final int MAX_RECORD_LENGTH = 200_000;

    private final BufferedReader input;
    private long line;

    /** A record of the file, whose fields are null if it is malformed. */
    record CsvRecord(long line, @Nullable List<String> fields) {}

    CsvReader(Reader input) {
        this.input = new BufferedReader(input);
    }

    /** Returns the next record that is not empty, or null at the end. */
    @Nullable
    CsvRecord next() throws IOException {
        String text = input.readLine();
        while (text != null) {
            line++;
            if (!text.isEmpty()) {
                return read(text);
            }
            text = input.readLine();
        }
        return null;
    }

    private CsvRecord read(String firstLine) throws IOException {
        long start = line;
        StringBuilder text = new StringBuilder(firstLine);
        // An odd number of quotation marks: the record goes on in the next line.
        while (firstLine.indexOf('"') >= 0 && hasOpenQuote(text) && text.length() <= MAX_RECORD_LENGTH) {
            String more = input.readLine();
            if (more == null) {
                return new CsvRecord(start, null);
            }
            line++;
            text.append('\n').append(more);
        }
        return new CsvRecord(start, text.length() > MAX_RECORD_LENGTH ? null : fields(text));
    }

    private static boolean hasOpenQuote(CharSequence text) {
        return text.chars().filter(c -> c == '"').count() % 2 == 1;
    }

    /** Returns null if a quotation mark is at a wrong place. */
    private static @Nullable List<String> fields(CharSequence text) {
        List<String> fields = new ArrayList<>();
        int at = 0;
        while (true) {
            StringBuilder field = new StringBuilder();
            boolean isQuoted = at < text.length() && text.charAt(at) == '"';
            at = isQuoted ? quoted(text, at + 1, field) : plain(text, at, field);
            if (at < 0) {
                return null;
            }
            fields.add(field.toString());
            if (at == text.length()) {
                return fields;
            }
            at++;
        }
    }

    /** Returns the index of the comma or of the end, or -1. */
    private static int plain(CharSequence text, int start, StringBuilder field) {
        int at = start;
        while (at < text.length() && text.charAt(at) != ',') {
            if (text.charAt(at) == '"') {
                return -1;
            }
            field.append(text.charAt(at++));
        }
        return at;
    }

    /** Returns the index of the comma or of the end, or -1. */
    private static int quoted(CharSequence text, int start, StringBuilder field) {
        int at = start;
        while (at < text.length()) {
            if (text.charAt(at) != '"') {
                field.append(text.charAt(at++));
            } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
                field.append('"');
                at += 2;
            } else {
                at++;
                return at == text.length() || text.charAt(at) == ',' ? at : -1;
            }
        }
        return -1;
    }
}

package io.heddle.core.authentication.csv;

import io.heddle.core.authentication.csv.CsvLines.CsvLine;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads CSV as RFC 4180 defines it: commas, and quotation marks around fields that contain commas, line breaks or quotation marks, which are
 * doubled. A record with a problem ends with its line, unless a quoted field is open there: it goes on to the line that closes the field, so
 * that a part of a field is never read as a record. Takes time linear in the input; keeps at most {@link CsvLines#MAX_LINE_BYTES} characters
 * and a line. Used by one thread.
 */
final class CsvReader {
    private final CsvLines lines;
    private long line;

    // Of the record.
    private final List<String> fields = new ArrayList<>();
    private final StringBuilder field = new StringBuilder();
    private boolean isQuoted;
    private int length;
    private @Nullable String problem;

    /**
     * A record of the file.
     *
     * @param line the number of its first line, from 1
     * @param lastLine the number of its last line
     * @param fields its fields; of no use if there is a problem
     * @param problem why it cannot be used, or null
     */
    record CsvRecord(
            long line,
            long lastLine,
            List<String> fields,
            @Nullable String problem) {}

    CsvReader(InputStream input) {
        this.lines = new CsvLines(input);
    }

    /** Returns the next record that is not empty, or null at the end. */
    @Nullable
    CsvRecord next() throws IOException {
        CsvLine text = lines.next();
        while (text != null) {
            line++;
            if (!text.text().isEmpty()) {
                return read(text);
            }
            text = lines.next();
        }
        return null;
    }

    private CsvRecord read(CsvLine first) throws IOException {
        long start = line;
        fields.clear();
        field.setLength(0);
        isQuoted = false;
        length = 0;
        problem = null;
        parse(first, true);
        while (isQuoted) {
            CsvLine more = lines.next();
            if (more == null) {
                wrong("A quotation mark is not closed before the end of the file.");
                break;
            }
            line++;
            append('\n');
            parse(more, false);
        }
        return new CsvRecord(start, line, List.copyOf(fields), problem);
    }

    /** Adds a line, which begins with a field or within a quoted one. Sets {@link #isQuoted} if it ends within a quoted field. */
    private void parse(CsvLine added, boolean isStart) {
        if (added.problem() != null) {
            wrong(Objects.requireNonNull(added.problem()));
        }
        String text = added.text();
        boolean isStartOfField = isStart;
        for (int at = 0; at < text.length(); at++) {
            char next = text.charAt(at);
            if (isQuoted) {
                if (next != '"') {
                    append(next);
                } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
                    append('"');
                    at++;
                } else {
                    isQuoted = false;
                    if (at + 1 < text.length() && text.charAt(at + 1) != ',') {
                        wrong("A closing quotation mark is not followed by a comma.");
                    }
                }
            } else if (next == ',') {
                endField();
                isStartOfField = true;
                continue;
            } else if (next == '"') {
                if (isStartOfField) {
                    isQuoted = true;
                } else {
                    wrong("A field that has a quotation mark must be in quotation marks, and the mark doubled.");
                }
            } else {
                append(next);
            }
            isStartOfField = false;
        }
        if (!isQuoted) {
            endField();
        }
    }

    private void endField() {
        if (problem == null) {
            fields.add(field.toString());
        }
        field.setLength(0);
    }

    private void append(char next) {
        if (++length > CsvLines.MAX_LINE_BYTES) {
            wrong("It has more than " + CsvLines.MAX_LINE_BYTES + " characters.");
        } else if (problem == null) {
            field.append(next);
        }
    }

    private void wrong(String sentence) {
        if (problem == null) {
            problem = sentence;
        }
    }
}

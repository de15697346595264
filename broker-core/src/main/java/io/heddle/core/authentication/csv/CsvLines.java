package io.heddle.core.authentication.csv;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a file in UTF-8. They end with CR, LF or both. Keeps at most {@value #MAX_LINE_BYTES} bytes of a line. Used by one thread.
 */
final class CsvLines {
    static final int MAX_LINE_BYTES = 200_000;

    private final InputStream input;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean isAfterReturn;

    /**
     * A line without its end.
     *
     * @param text the line; bytes that are not UTF-8 are replaced; cut if the line is too long
     * @param problem why the line cannot be used, or null
     */
    record CsvLine(String text, @Nullable String problem) {}

    CsvLines(InputStream input) {
        this.input = new BufferedInputStream(input, 65_536);
    }

    /** Returns the next line, or null at the end. */
    @Nullable
    CsvLine next() throws IOException {
        bytes.reset();
        boolean isCut = false;
        boolean isEmpty = true;
        int next = input.read();
        if (next == '\n' && isAfterReturn) {
            next = input.read();
        }
        isAfterReturn = false;
        while (next >= 0) {
            isEmpty = false;
            if (next == '\n' || next == '\r') {
                isAfterReturn = next == '\r';
                return line(isCut);
            }
            if (bytes.size() < MAX_LINE_BYTES) {
                bytes.write(next);
            } else {
                isCut = true;
            }
            next = input.read();
        }
        return isEmpty ? null : line(isCut);
    }

    private CsvLine line(boolean isCut) {
        if (isCut) {
            return new CsvLine(bytes.toString(UTF_8), "It has more than " + MAX_LINE_BYTES + " bytes.");
        }
        try {
            // A decoder of newDecoder() reports malformed input.
            return new CsvLine(
                    UTF_8.newDecoder()
                            .decode(ByteBuffer.wrap(bytes.toByteArray()))
                            .toString(),
                    null);
        } catch (CharacterCodingException malformed) {
            return new CsvLine(bytes.toString(UTF_8), "It is not UTF-8.");
        }
    }
}

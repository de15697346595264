package io.heddle.app.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A normative statement of the standard. Only the standard has its text.
 *
 * @param id for example {@code MQTT-3.3.1-5}
 * @param section where the standard has it
 * @param level MUST, MUST NOT or MAY; empty for MQTT 3.1.1, whose list does not have it
 * @param appliesTo Client, Server or Both; empty for MQTT 3.1.1
 */
record ConformanceStatement(String id, String section, String level, String appliesTo) {
    /** The statements of MQTT 5.0 in the order of the standard. */
    static List<ConformanceStatement> mqtt5() {
        return read("/conformance/mqtt5.csv");
    }

    /** The statements of MQTT 3.1.1 in the order of the standard. */
    static List<ConformanceStatement> mqtt311() {
        return read("/conformance/mqtt311.csv");
    }

    private static List<ConformanceStatement> read(String resource) {
        try (InputStream in = Objects.requireNonNull(ConformanceStatement.class.getResourceAsStream(resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .map(row -> row.length < 4
                            ? new ConformanceStatement(row[0], row[1], "", "")
                            : new ConformanceStatement(row[0], row[1], row[2], row[3]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the statement obliges or forbids a server to do something. */
    boolean obligesServer() {
        return level.startsWith("MUST") && !appliesTo.equals("Client");
    }
}

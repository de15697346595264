package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Bytes that a released version wrote: {@code golden/<name>.hex}, in which lines that begin with # are comments. */
public final class Golden {
    private Golden() {}

    /** Reads a golden file. A change that needs another golden file breaks stored data. */
    public static byte[] bytes(String name) {
        String resource = "/golden/" + name + ".hex";
        try (@Nullable InputStream in = Golden.class.getResourceAsStream(resource)) {
            assertThat(in).as(resource).isNotNull();
            String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .map(line -> line.replaceAll("#.*|\\s", ""))
                    .collect(Collectors.joining());
            return HexFormat.of().parseHex(hex);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Formats bytes as text, so that a difference is readable. */
    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}

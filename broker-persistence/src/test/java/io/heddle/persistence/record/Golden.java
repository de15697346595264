package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Bytes as a version of the broker once wrote them: {@code golden/<name>.hex}, where a line may begin with # and a comment. */
public final class Golden {
    private Golden() {}

    /** The bytes of a golden file. A test that needs it to change has broken what is stored somewhere. */
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

    /** Bytes as text, so that a difference can be read. */
    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}

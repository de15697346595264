package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the corpus of {@link MqttDecoderFuzz}: {@code golden-*}, one for each row of the golden table that clients send, which seed a search, and
 * {@code found-*}, which searches added because they reached new code. Every build runs all of them without a search.
 * {@code -Dheddle.fuzz.write=true} regenerates the golden ones.
 */
class FuzzCorpusTest {
    private static final Path CORPUS =
            Path.of("src/test/resources/io/heddle/transport/codec/MqttDecoderFuzzInputs/anyBytesInAnyPieces");
    private static final int LARGEST_BYTES = 1024;

    @Test
    void goldenFilesOfTheCorpusMatchTheGoldenTable() throws Exception {
        Map<String, byte[]> expected = new TreeMap<>();
        for (Golden row : GoldenPackets.ofClients()) {
            byte[] input = MqttDecoderFuzz.input(
                    row.phase(), row.version(), row.notation().length(), row.bytes());
            expected.put("golden-" + digest(input), input);
        }
        if (Boolean.getBoolean("heddle.fuzz.write")) {
            write(expected);
        }
        Map<String, byte[]> kept = new TreeMap<>();
        for (Path file : files("golden-")) {
            kept.put(file.getFileName().toString(), Files.readAllBytes(file));
        }
        assertThat(kept.keySet()).isEqualTo(expected.keySet());
        kept.forEach((name, input) -> assertThat(input).as(name).isEqualTo(expected.get(name)));
    }

    @ParameterizedTest
    @MethodSource("kept")
    void everyInputOfTheCorpusPasses(Path file) throws IOException {
        new MqttDecoderFuzz().anyBytesInAnyPieces(Files.readAllBytes(file));
    }

    static Stream<Path> kept() throws IOException {
        return files("").stream();
    }

    @Test
    void foundInputsAreSmallAndNamedByTheirContent() throws Exception {
        for (Path file : files("found-")) {
            byte[] input = Files.readAllBytes(file);
            assertThat(input).hasSizeLessThan(LARGEST_BYTES);
            assertThat(file).hasFileName("found-" + digest(input));
        }
    }

    private static void write(Map<String, byte[]> inputs) throws IOException {
        Files.createDirectories(CORPUS);
        for (Path old : files("golden-")) {
            Files.delete(old);
        }
        for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
            Files.write(CORPUS.resolve(input.getKey()), input.getValue());
        }
    }

    private static List<Path> files(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .toList();
        }
    }

    private static String digest(byte[] input) throws NoSuchAlgorithmException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(input);
        return ByteBufUtil.hexDump(Arrays.copyOf(digest, 8));
    }
}

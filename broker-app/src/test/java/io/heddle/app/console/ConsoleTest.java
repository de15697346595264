package io.heddle.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ConsoleTest {
    /** Prints until the reader of its standard output has ended. */
    static final class Endless {
        private Endless() {}

        public static void main(String[] arguments) {
            boolean isRead = true;
            while (isRead) {
                isRead = Console.printToReader("line");
            }
            Console.printError("ended");
        }
    }

    @Test
    void aPipeWhoseReaderHasEndedIsNoFailure() throws Exception {
        Process pipe = new ProcessBuilder(
                        "sh",
                        "-c",
                        "\"$0\" -cp \"$1\" \"$2\" | head -n 1",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        System.getProperty("java.class.path"),
                        Endless.class.getName())
                .start();
        String printed = new String(pipe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String errors = new String(pipe.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(printed).isEqualTo("line\n");
        assertThat(errors).isEqualTo("ended\n");
    }
}

package io.heddle.app.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PasswordPromptTest {
    private static String read(String input) throws IOException {
        return PasswordPrompt.onlyLine(new StringReader(input));
    }

    @Test
    void theInputIsOneLineWithOrWithoutALineBreak() throws Exception {
        assertThat(read("se cret")).isEqualTo("se cret");
        assertThat(read("se cret\n")).isEqualTo("se cret");
        assertThat(read("se cret\r\n")).isEqualTo("se cret");
        assertThat(read("")).isEmpty();
        assertThat(read("\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"one\ntwo", "one\ntwo\n", "one\n\n", "\none\n", "one\n "})
    void inputAfterTheFirstLineIsRejected(String input) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(input))
                .withMessageContaining("standard input has more than one line");
    }

    @Test
    void anEndlessLineIsReadOnlyToTheLimit() throws Exception {
        assertThat(MqttText.fault(read("x".repeat(1_000_000)))).contains("longer than the 65535 bytes");
    }

    @Test
    void textsThatMqttClientsCannotSendAreRejected() {
        assertThat(MqttText.fault("x".repeat(65_535))).isNull();
        assertThat(MqttText.fault("ä".repeat(32_768))).contains("65535 bytes");
        assertThat(MqttText.fault("correct horse: ä, 🐎")).isNull();
        for (String control : new String[] {"\0", "\t", "\r", "\u001B", "\u007F", "\u0085"}) {
            assertThat(MqttText.fault("a" + control + "b")).contains("control character");
        }
    }
}

package io.heddle.core.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link ControlCharacters#escaped}. */
final class EscapedTextTest {
    @Test
    void ordinaryTextStaysTheSameObject() {
        String text = "Zähler-7/温度/😀\tκ";
        assertThat(ControlCharacters.escaped(text)).isSameAs(text);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00, 0x0A, 0x0D, 0x1B, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0xAD, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028,
                0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF
            })
    void invisibleCharactersAreEscaped(int character) {
        assertThat(ControlCharacters.escaped("a" + Character.toString(character) + "b"))
                .isEqualTo(String.format("a\\u%04xb", character));
    }

    @Test
    void supplementaryCharactersAndUnpairedSurrogatesAreEscaped() {
        assertThat(ControlCharacters.escaped("x" + Character.toString(0xE0041))).isEqualTo("x\\U000e0041");
        assertThat(ControlCharacters.escaped("\uD83D!")).isEqualTo("\\ud83d!");
    }
}

package io.heddle.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ConsoleFormatsTest {
    @Test
    void bytesHaveAUnit() {
        assertThat(ConsoleFormats.bytes(0)).isEqualTo("0 bytes");
        assertThat(ConsoleFormats.bytes(999)).isEqualTo("999 bytes");
        assertThat(ConsoleFormats.bytes(1_234)).isEqualTo("1.2 kB");
        assertThat(ConsoleFormats.bytes(123_400_000)).isEqualTo("123 MB");
        assertThat(ConsoleFormats.bytes(2e18)).isEqualTo("2000 PB");
    }

    @Test
    void secondsAreInWords() {
        assertThat(ConsoleFormats.duration(60)).isEqualTo("60 s");
        assertThat(ConsoleFormats.duration(3_600)).isEqualTo("60 min");
        assertThat(ConsoleFormats.duration(9_000)).isEqualTo("2 h 30 min");
        assertThat(ConsoleFormats.duration(200_000)).isEqualTo("2 d 7 h");
        assertThat(ConsoleFormats.duration(86_400)).isEqualTo("24 h");
    }

    @Test
    void namesOfTheRestInterfaceAreInWords() {
        assertThat(ConsoleFormats.words("NO_SUBSCRIPTION")).isEqualTo("No subscription");
        assertThat(ConsoleFormats.words("freeBytes")).isEqualTo("Free bytes");
        assertThat(ConsoleFormats.words("PostgreSQL")).isEqualTo("PostgreSQL");
        assertThat(ConsoleFormats.words("")).isEmpty();
    }
}

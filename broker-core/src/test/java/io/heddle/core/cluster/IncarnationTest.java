package io.heddle.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IncarnationTest {
    @Test
    void theTextIsTheOffsetAndEightHexDigits() {
        assertThat(new Incarnation(41, 0x8badf00d)).hasToString("41-8badf00d");
        assertThat(new Incarnation(0, 1)).hasToString("0-00000001");
        assertThat(Incarnation.parse("41-8badf00d")).isEqualTo(new Incarnation(41, 0x8badf00d));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "41",
                "41-",
                "41-8BADF00D",
                "041-00000001",
                "-1-00000001",
                "41-8badf00",
                "41-8badf00d0",
                "1234567890123456789-00000001",
                "node-1-0",
                "41-8badf00d-0"
            })
    void otherTextsAreNotIncarnations(String text) {
        assertThat(Incarnation.isIncarnation(text)).isFalse();
        assertThatThrownBy(() -> Incarnation.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theOffsetOrdersIncarnationsAndTheRandomPartTellsThemApart() {
        Incarnation first = new Incarnation(9, -1);
        Incarnation second = new Incarnation(10, 1);
        Incarnation repeated = new Incarnation(10, -2);

        assertThat(first).isLessThan(second).isLessThan(repeated);
        assertThat(second).isLessThan(repeated).isNotEqualTo(repeated);
        assertThat(second).isEqualByComparingTo(new Incarnation(10, 1));
    }
}

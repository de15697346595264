package io.heddle.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NodesOptionTest {
    @Test
    void theNumberIsReadInBothWaysAndTheOtherArgumentsStay() {
        NodesOption expected = new NodesOption(3, List.of("--mqtt-port", "0", "--heddle.mqtt.bind=::1"));

        assertThat(NodesOption.of(List.of("--mqtt-port", "0", "--nodes", "3", "--heddle.mqtt.bind=::1")))
                .isEqualTo(expected);
        assertThat(NodesOption.of(List.of("--nodes=3", "--mqtt-port", "0", "--heddle.mqtt.bind=::1")))
                .isEqualTo(expected);
    }

    @Test
    void onlyTheOptionItselfIsRecognized() {
        assertThat(NodesOption.isGiven(List.of("--data-dir", "x", "--nodes"))).isTrue();
        assertThat(NodesOption.isGiven(List.of("--nodes=2"))).isTrue();
        assertThat(NodesOption.isGiven(List.of("--nodesx", "--heddle.node.id=--nodes")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "9", "-3", "three", "", "3.0", "99999999999999"})
    void otherNumbersAndTextsAreRejectedWithTheRemedy(String text) {
        assertThatThrownBy(() -> NodesOption.of(List.of("--nodes", text)))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("from 2 to 8, not '" + text + "'");
    }

    @Test
    void aMissingOrRepeatedNumberIsRejected() {
        assertThatThrownBy(() -> NodesOption.of(List.of("--nodes"))).hasMessageContaining("needs a number of nodes");
        assertThatThrownBy(() -> NodesOption.of(List.of("--nodes=2", "--nodes", "2")))
                .hasMessageContaining("is given twice");
    }
}

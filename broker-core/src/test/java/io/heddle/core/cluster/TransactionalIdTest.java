package io.heddle.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionalIdTest {
    @Test
    void theNameContainsTheIncarnationAndTheTurn() {
        TransactionalId id = new TransactionalId(new Incarnation(41, 0x8badf00d), 2);

        assertThat(id.name()).isEqualTo("heddle-41-8badf00d-2");
        assertThat(TransactionalId.parse(id.name())).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "heddle-",
                "heddle-2",
                "heddle-node-1-2",
                "heddle-41-8badf00d",
                "heddle-41-8badf00d-",
                "heddle-41-8badf00d-x",
                "heddle-41-8badf00d-1000",
                "other-41-8badf00d-2"
            })
    void namesOfOtherProgramsAreNotRead(String name) {
        assertThat(TransactionalId.isName(name)).isFalse();
        assertThatThrownBy(() -> TransactionalId.parse(name)).isInstanceOf(IllegalArgumentException.class);
    }
}

package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.changelog.ChangeCondition;
import org.junit.jupiter.api.Test;

class ConditionFormatTest {
    private static final ChangeCondition EXPIRED = new ChangeCondition.ExpiredBy(0x0102030405060708L);
    private static final ChangeCondition REPEATED = new ChangeCondition.Repeated(42);

    private static ChangeCondition read(byte[] header) {
        return ConditionFormat.read(new RecordReader(header, () -> "heddle.retained, partition 1, offset 2"));
    }

    @Test
    void theFormatIsStable() {
        golden("condition-expired-by-v1", EXPIRED);
        golden("condition-repeated-v1", REPEATED);
    }

    private static void golden(String name, ChangeCondition condition) {
        assertThat(Golden.hex(ConditionFormat.encode(condition))).as(name).isEqualTo(Golden.hex(Golden.bytes(name)));
        assertThat(read(Golden.bytes(name))).as(name).isEqualTo(condition);
    }

    @Test
    void aRecordWithoutHeaderHasNoCondition() {
        assertThat(ConditionFormat.read(null)).isEqualTo(ChangeCondition.Always.ALWAYS);
        assertThatIllegalArgumentException().isThrownBy(() -> ConditionFormat.encode(ChangeCondition.Always.ALWAYS));
    }

    @Test
    void anUnknownConditionIsNotIgnored() {
        byte[] later = ConditionFormat.encode(EXPIRED);
        later[0] = 9;
        assertThatThrownBy(() -> read(later)).hasMessageContaining("the condition of a change of version 9");
        byte[] unknown = ConditionFormat.encode(EXPIRED);
        unknown[1] = 9;
        assertThatThrownBy(() -> read(unknown)).hasMessageContaining("of kind 9");
    }
}

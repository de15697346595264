package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HeapCheckTest {
    private static final long MEGABYTE = 1 << 20;

    @Test
    void aHeapThatIsTooSmallIsRejectedWithTheMinimum() {
        assertThatThrownBy(() -> HeapCheck.require(32 * MEGABYTE))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll(
                        "only 32 MB of heap", "a broker needs 64 MB or more", "-Xmx", "HEDDLE_JAVA_OPTS");
    }

    /** The serial collector reports 61.9 MB of 64 MB. */
    @ParameterizedTest
    @ValueSource(longs = {61, 64, 4_096})
    void theMinimumIsAcceptedWithEveryCollector(long megabytes) {
        assertThatNoException().isThrownBy(() -> HeapCheck.require(megabytes * MEGABYTE));
    }
}

package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.assertj.core.api.ThrowingConsumer;

/** Beginnings of records, as a damaged disk leaves them. */
final class Truncated {
    private Truncated() {}

    /** Asserts that no beginning of a record can be read. */
    static void assertUnreadable(byte[] whole, ThrowingConsumer<byte[]> read) {
        assertUnreadable(whole, whole.length, read, "");
    }

    /**
     * Asserts that no beginning shorter than this can be read.
     *
     * @param message how the message of the error begins
     */
    static void assertUnreadable(byte[] whole, int length, ThrowingConsumer<byte[]> read, String message) {
        for (int i = 0; i < length; i++) {
            byte[] cut = Arrays.copyOf(whole, i);
            assertThatThrownBy(() -> read.accept(cut))
                    .as("cut after %d bytes", i)
                    .isInstanceOf(UnreadableRecordException.class)
                    .hasMessageStartingWith(message);
        }
    }
}

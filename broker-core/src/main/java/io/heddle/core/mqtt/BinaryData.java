package io.heddle.core.mqtt;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a payload, a password or correlation data. Owns its array: whoever hands one over does not write to it again, and
 * whoever reads {@link #array()} does not write at all.
 */
public final class BinaryData {
    /** No bytes. */
    public static final BinaryData EMPTY = new BinaryData(new byte[0]);

    private final byte[] array;

    private BinaryData(byte[] array) {
        this.array = array;
    }

    /** Takes the array over without copying it. */
    public static BinaryData wrap(byte[] array) {
        return array.length == 0 ? EMPTY : new BinaryData(array);
    }

    /** The bytes themselves, not a copy; read only. */
    public byte[] array() {
        return array;
    }

    /** The length in bytes. */
    public int length() {
        return array.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BinaryData that && Arrays.equals(array, that.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    /** Only the length: the bytes may be a password. */
    @Override
    public String toString() {
        return "BinaryData[" + array.length + " bytes]";
    }
}

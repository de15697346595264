package io.heddle.core.mqtt;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Immutable bytes of a payload, a password or correlation data. The array is shared, not copied: neither the creator nor a reader
 * of {@link #array()} may write to it.
 */
public final class BinaryData {
    public static final BinaryData EMPTY = new BinaryData(new byte[0]);

    private final byte[] array;

    private BinaryData(byte[] array) {
        this.array = array;
    }

    /** Wraps an array without copying it; the caller must not write to it again. */
    public static BinaryData wrap(byte[] array) {
        return array.length == 0 ? EMPTY : new BinaryData(array);
    }

    /** Returns the array itself, not a copy; read only. */
    public byte[] array() {
        return array;
    }

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

    /** Shows only the length, because the bytes may be a password. */
    @Override
    public String toString() {
        return "BinaryData[" + array.length + " bytes]";
    }
}

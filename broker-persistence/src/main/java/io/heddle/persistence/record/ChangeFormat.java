package io.heddle.persistence.record;

/**
 * How a map's keys and values are stored. Stateless, any thread.
 *
 * @param <K> what is known by, equal by value
 * @param <V> what is known of it
 */
public interface ChangeFormat<K, V> {
    /** The bytes of a key: always the same for the same key, because only its last record is kept. */
    byte[] key(K key);

    /** The bytes of a value. */
    byte[] value(V value);

    /**
     * Reads a key.
     *
     * @throws UnreadableRecordException when it is cut off, or of a later version
     */
    K readKey(RecordReader key);

    /**
     * Reads the value of a key.
     *
     * @throws UnreadableRecordException when it is cut off, or of a later version
     */
    V readValue(K key, RecordReader value);
}

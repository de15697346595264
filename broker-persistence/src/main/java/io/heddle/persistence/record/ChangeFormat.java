package io.heddle.persistence.record;

/**
 * The format of a map in a compacted topic. Stateless, any thread.
 *
 * @param <K> the type of the keys, equal by value
 * @param <V> the type of the values
 */
public interface ChangeFormat<K, V> {
    /** Encodes a key. Equal keys have equal bytes, because compaction retains only the last record of a key. */
    byte[] key(K key);

    byte[] value(V value);

    /** @throws UnreadableRecordException when it is truncated or of another version */
    K readKey(RecordReader key);

    /**
     * Reads the value of a key.
     *
     * @throws UnreadableRecordException when it is truncated or of another version
     */
    V readValue(K key, RecordReader value);
}

package io.heddle.persistence.kafka.transaction;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.ByteUtils;
import org.jspecify.annotations.Nullable;

/**
 * A record of Kafka's topic {@code __transaction_state}: the state of a transactional id from then on. Kafka describes the bytes in {@code
 * TransactionLogKey.json} and {@code TransactionLogValue.json}.
 *
 * @param partitions those of the transaction; empty when it is complete
 */
record TransactionRecord(long producerId, int producerEpoch, Status status, Set<TopicPartition> partitions) {
    /** With Kafka's numbers. */
    enum Status {
        EMPTY(0),
        ONGOING(1),
        PREPARE_COMMIT(2),
        PREPARE_ABORT(3),
        COMPLETE_COMMIT(4),
        COMPLETE_ABORT(5),
        DEAD(6),
        PREPARE_EPOCH_FENCE(7);

        private final byte id;

        Status(int id) {
            this.id = (byte) id;
        }

        byte id() {
            return id;
        }

        private static Status of(byte id) {
            for (Status each : values()) {
                if (each.id == id) {
                    return each;
                }
            }
            throw new IllegalArgumentException("a record of __transaction_state has the unknown status " + id);
        }
    }

    private static final short KEY_VERSION = 0;
    private static final short FIRST_VERSION = 0;
    private static final short FLEXIBLE_VERSION = 1;

    TransactionRecord {
        partitions = Set.copyOf(partitions);
    }

    boolean isPrepared() {
        return status == Status.PREPARE_COMMIT || status == Status.PREPARE_ABORT;
    }

    /** Returns the transactional id, or null if the key is of another version. */
    static @Nullable String transactionalId(byte[] key) {
        ByteBuffer bytes = ByteBuffer.wrap(key);
        return bytes.remaining() < 2 * Short.BYTES || bytes.getShort() != KEY_VERSION
                ? null
                : text(bytes, bytes.getShort());
    }

    /** @throws IllegalArgumentException if the value is of another version, or damaged */
    static TransactionRecord parse(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value);
        try {
            short version = bytes.getShort();
            if (version != FIRST_VERSION && version != FLEXIBLE_VERSION) {
                throw new IllegalArgumentException(
                        "a record of __transaction_state has the unknown version " + version);
            }
            boolean isFlexible = version == FLEXIBLE_VERSION;
            long producerId = bytes.getLong();
            short producerEpoch = bytes.getShort();
            int _ = bytes.getInt();
            Status status = Status.of(bytes.get());
            return new TransactionRecord(producerId, producerEpoch, status, partitions(bytes, isFlexible));
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a record of __transaction_state is damaged", e);
        }
    }

    private static Set<TopicPartition> partitions(ByteBuffer bytes, boolean isFlexible) {
        Set<TopicPartition> partitions = new HashSet<>();
        int topics = size(bytes, isFlexible);
        for (int i = 0; i < topics; i++) {
            String topic = text(bytes, isFlexible ? size(bytes, true) : bytes.getShort());
            int count = size(bytes, isFlexible);
            for (int k = 0; k < count; k++) {
                partitions.add(new TopicPartition(topic, bytes.getInt()));
            }
            if (isFlexible) {
                skipTaggedFields(bytes);
            }
        }
        return partitions;
    }

    /** The size of an array, or of a text of a flexible version; -1 for null. */
    private static int size(ByteBuffer bytes, boolean isFlexible) {
        return isFlexible ? ByteUtils.readUnsignedVarint(bytes) - 1 : bytes.getInt();
    }

    private static void skipTaggedFields(ByteBuffer bytes) {
        int fields = ByteUtils.readUnsignedVarint(bytes);
        for (int i = 0; i < fields; i++) {
            int _ = ByteUtils.readUnsignedVarint(bytes);
            int size = ByteUtils.readUnsignedVarint(bytes);
            if (size < 0 || size > bytes.remaining()) {
                throw new BufferUnderflowException();
            }
            bytes.position(bytes.position() + size);
        }
    }

    private static String text(ByteBuffer bytes, int length) {
        if (length < 0 || length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] text = new byte[length];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }
}

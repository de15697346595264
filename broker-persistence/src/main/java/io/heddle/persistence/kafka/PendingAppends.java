package io.heddle.persistence.kafka;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of everything that this node has appended and Kafka has not answered: what bounds the memory that an outage takes.
 * Above the limit nothing new is accepted, which is asked before; what comes in spite of it waits, up to twice the limit, because
 * those who asked at the same moment and the changes of sessions and routes must have room. Thread-safe, one atomic number.
 *
 * <p>Metric: {@code heddle.kafka.pending.bytes}.
 */
final class PendingAppends {
    // The objects around a record, here and in the producer.
    private static final int RECORD_BYTES = 256;

    private final long limit;
    private final AtomicLong pending = new AtomicLong();

    PendingAppends(long limit, MeterRegistry registry) {
        this.limit = limit;
        Gauge.builder("heddle.kafka.pending.bytes", pending, AtomicLong::doubleValue)
                .description("Appends to Kafka that have no answer yet")
                .baseUnit("bytes")
                .register(registry);
    }

    /** What a record counts for. */
    static long bytesOf(ProducerRecord<byte[], byte[]> record) {
        // Topics without keys, and the value that removes a key.
        byte @Nullable [] key = record.key();
        byte @Nullable [] value = record.value();
        long headers = 0;
        for (Header header : record.headers()) {
            headers += header.value().length;
        }
        return RECORD_BYTES + headers + (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
    }

    /** Whether so many bytes more would be within the limit. The only one always is: else nothing larger would ever be taken. */
    boolean accepts(long bytes) {
        long now = pending.get();
        return now == 0 || now + bytes <= limit;
    }

    /** Takes so many bytes in. False, and nothing taken, above twice the limit. */
    boolean take(long bytes) {
        long now = pending.addAndGet(bytes);
        if (now > 2 * limit && now != bytes) {
            pending.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** These have their answer. */
    void release(long bytes) {
        pending.addAndGet(-bytes);
    }

    long bytes() {
        return pending.get();
    }
}

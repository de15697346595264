package io.heddle.persistence.kafka.append;

import io.heddle.persistence.kafka.KafkaTopics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of appends that Kafka has not answered, which bounds the memory that an outage takes. Messages and changes (of sessions,
 * subscriptions, markers and progress) have a share each, so that neither exhausts the other's. Thread-safe: one atomic number for each
 * share.
 *
 * <p>A publish calls {@link Share#accepts} first and is accepted up to the limit. Before publishers fill it, their connections are not read: the
 * messages of each may have a quarter of what is free of one half ({@link Share#publisherShare}). The other half is for publishers that have
 * just begun. Records appended anyway are accepted up to twice the
 * limit, which leaves room for concurrent publishes and for what subscribers cause: their PUBREC packets, and retained messages for their
 * new subscriptions, which have smaller limits of their own. Changes are accepted up to the limit; clients' subscriptions,
 * which may be many, are admitted to a smaller limit before ({@link io.heddle.core.quota.AppendAdmission}).
 *
 * <p>Metric: {@code heddle.kafka.pending.bytes{kind}}.
 */
final class PendingAppends {
    /** The messages of one publisher may have the free bytes divided by this. */
    private static final int PUBLISHER_PARTS = 4;

    // The objects of a record, here and in the producer.
    private static final int RECORD_OVERHEAD_BYTES = 256;

    private final Share messages;
    private final Share changes;

    PendingAppends(long limit, MeterRegistry registry) {
        this.messages = new Share(limit, 2 * limit);
        this.changes = new Share(limit, limit);
        messages.gauge("messages", registry);
        changes.gauge("changes", registry);
    }

    static long bytesOf(ProducerRecord<byte[], byte[]> record) {
        // Some topics have no keys; a null value removes a key.
        byte @Nullable [] key = record.key();
        byte @Nullable [] value = record.value();
        long headers = 0;
        for (Header header : record.headers()) {
            headers += header.value().length;
        }
        return RECORD_OVERHEAD_BYTES + headers + (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
    }

    Share messages() {
        return messages;
    }

    Share changes() {
        return changes;
    }

    Share of(String topic) {
        return topic.equals(KafkaTopics.PROGRESS) ? changes : messages;
    }

    static final class Share {
        private final long limit;
        private final long maximum;
        private final AtomicLong pending = new AtomicLong();

        private Share(long limit, long maximum) {
            this.limit = limit;
            this.maximum = maximum;
        }

        private void gauge(String kind, MeterRegistry registry) {
            Gauge.builder("heddle.kafka.pending.bytes", pending, AtomicLong::doubleValue)
                    .description("Appends to Kafka without an answer")
                    .tag("kind", kind)
                    .baseUnit("bytes")
                    .register(registry);
        }

        /** Returns whether these bytes fit in the limit. An append larger than the limit is accepted when nothing else is pending. */
        boolean accepts(long bytes) {
            long now = pending.get();
            return now == 0 || now + bytes <= limit;
        }

        /** Returns the bytes that one publisher's messages may have; 0 while half of the limit is used. */
        long publisherShare() {
            return Math.max(0, limit / 2 - pending.get()) / PUBLISHER_PARTS;
        }

        /** Returns the limit of {@link #accepts}. */
        long limit() {
            return limit;
        }

        /**
         * Reserves bytes. Returns false, and reserves nothing, when they would exceed the maximum and half of it is used without them: an accepted
         * message may be stored once for each bucket.
         */
        boolean take(long bytes) {
            long before = pending.getAndAdd(bytes);
            if (before >= maximum / 2 && before + bytes > maximum) {
                pending.addAndGet(-bytes);
                return false;
            }
            return true;
        }

        void release(long bytes) {
            pending.addAndGet(-bytes);
        }

        long bytes() {
            return pending.get();
        }
    }
}

package io.heddle.persistence.kafka.append;

import io.heddle.persistence.kafka.KafkaTopics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of everything that this node has appended and Kafka has not answered: what bounds the memory that an outage takes. Messages
 * and changes (of sessions, subscriptions and progress) have a share each, so that neither takes the room of the other. Thread-safe,
 * one atomic number for each share.
 *
 * <p>A publish asks before it is accepted, and is accepted up to the limit; messages that come in spite of it are taken up to twice the
 * limit, for publishes that asked at the same moment and for marks. Changes are taken up to the limit; clients' subscriptions, which
 * could be many, are admitted to less than that before ({@link io.heddle.core.quota.AppendAdmission}).
 *
 * <p>Metric: {@code heddle.kafka.pending.bytes{kind}}.
 */
final class PendingAppends {
    // The objects around a record, here and in the producer.
    private static final int RECORD_BYTES = 256;

    private static final Set<String> CHANGE_LOGS =
            Set.of(KafkaTopics.ROUTES, KafkaTopics.SESSIONS, KafkaTopics.PROGRESS);

    private final Share messages;
    private final Share changes;

    PendingAppends(long limit, MeterRegistry registry) {
        this.messages = new Share(limit, 2 * limit);
        this.changes = new Share(limit, limit);
        messages.gauge("messages", registry);
        changes.gauge("changes", registry);
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

    /** The share of the messages. */
    Share messages() {
        return messages;
    }

    /** The share that the records of a topic count for. */
    Share of(String topic) {
        return CHANGE_LOGS.contains(topic) ? changes : messages;
    }

    /** The bytes of one kind of appends. */
    static final class Share {
        private final long limit;
        private final long most;
        private final AtomicLong pending = new AtomicLong();

        private Share(long limit, long most) {
            this.limit = limit;
            this.most = most;
        }

        private void gauge(String kind, MeterRegistry registry) {
            Gauge.builder("heddle.kafka.pending.bytes", pending, AtomicLong::doubleValue)
                    .description("Appends to Kafka that have no answer yet")
                    .tag("kind", kind)
                    .baseUnit("bytes")
                    .register(registry);
        }

        /** Whether so many bytes more would be within the limit. The only one always is: else nothing larger would ever be taken. */
        boolean accepts(long bytes) {
            long now = pending.get();
            return now == 0 || now + bytes <= limit;
        }

        /** Takes so many bytes in. False, and nothing taken, above the most that there may be. */
        boolean take(long bytes) {
            long now = pending.addAndGet(bytes);
            if (now > most && now != bytes) {
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
}

package io.heddle.persistence.kafka;

import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.JoinedAppends;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.delivery.log.LogAppend.ToRetained;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.persistence.record.BucketCommandFormat;
import io.heddle.persistence.record.DeadLetterFormat;
import io.heddle.persistence.record.RetainedFormat;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Messages and bucket commands on their way into Kafka. Thread-safe and without state of its own: {@link LogProducer} takes what
 * may go alone, {@link Transactions} what must go together. Tells {@link BucketPositions} which commands of this node are in the
 * log.
 */
final class KafkaMessageLog implements MessageLog {
    private final LogProducer producer;
    private final Transactions transactions;
    private final ApplicationAppends applications;
    private final BucketPositions positions;
    private final Destination[] buckets;
    private final Destination[] retained;
    private final Destination deadLetters;
    private final RetainedFormat retainedFormat = new RetainedFormat();

    /**
     * A message log.
     *
     * @param producer for buckets and retained messages
     * @param bucketCount the partitions of the bucket log
     */
    KafkaMessageLog(
            LogProducer producer,
            Transactions transactions,
            ApplicationAppends applications,
            BucketPositions positions,
            int bucketCount) {
        this.producer = producer;
        this.transactions = transactions;
        this.applications = applications;
        this.positions = positions;
        this.buckets = destinations(KafkaTopics.BUCKETS, bucketCount);
        this.deadLetters = producer.destination(KafkaTopics.DEAD_LETTERS, KafkaTopics.DEAD_LETTERS_PARTITION);
        this.retained = destinations(KafkaTopics.RETAINED, KafkaTopics.COMPACTED_PARTITIONS);
    }

    private Destination[] destinations(String topic, int partitions) {
        Destination[] all = new Destination[partitions];
        for (int i = 0; i < partitions; i++) {
            all[i] = producer.destination(topic, i);
        }
        return all;
    }

    @Override
    public boolean accepts(long bytes) {
        return producer.accepts(bytes);
    }

    @Override
    public void append(List<LogAppend> appends, AppendCallback callback) {
        // All are encoded before the first is sent: what can't be encoded leaves nothing behind.
        if (appends.size() == 1) {
            LogAppend append = appends.getFirst();
            send(append, record(append), callback);
            return;
        }
        List<ProducerRecord<byte[], byte[]>> records = records(appends);
        AppendCallback joined = new JoinedAppends(appends.size(), callback);
        for (int i = 0; i < records.size(); i++) {
            send(appends.get(i), records.get(i), joined);
        }
    }

    private void send(LogAppend append, ProducerRecord<byte[], byte[]> record, AppendCallback callback) {
        Answer answer = new Answer(append, record.value() == null ? 0 : record.value().length, callback);
        began(append);
        switch (append) {
            case ToBucket toBucket -> producer.append(buckets[record.partition()], record, answer);
            case ToRetained toRetained -> producer.append(retained[record.partition()], record, answer);
            case ToDeadLetters _ -> producer.append(deadLetters, record, answer);
            case ToApplication toApplication -> {
                LogProducer own = applications.producer();
                own.append(own.destination(record.topic(), record.partition()), record, answer);
            }
        }
    }

    @Override
    public void commit(List<LogAppend> appends, OrderFence order, AppendCallback callback) {
        List<ProducerRecord<byte[], byte[]>> records = records(appends);
        Commit commit = new Commit(records, order, new Committed(appends, records, callback));
        appends.forEach(this::began);
        transactions.commit(commit);
    }

    private void began(LogAppend append) {
        if (append instanceof ToApplication toApplication) {
            applications.began(toApplication);
        }
    }

    private void appended(LogAppend append, long offset, int bytes) {
        switch (append) {
            case ToBucket toBucket ->
                positions.appended(
                        toBucket.bucket(), offset, bytes, toBucket.command().writes());
            case ToApplication toApplication -> applications.ended(toApplication, true);
            case ToRetained _, ToDeadLetters _ -> {
                // Nobody waits for it.
            }
        }
    }

    private void failed(LogAppend append) {
        if (append instanceof ToApplication toApplication) {
            applications.ended(toApplication, false);
        }
    }

    private List<ProducerRecord<byte[], byte[]>> records(List<LogAppend> appends) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(appends.size());
        for (LogAppend append : appends) {
            records.add(record(append));
        }
        return records;
    }

    private ProducerRecord<byte[], byte[]> record(LogAppend append) {
        return switch (append) {
            case ToBucket toBucket -> {
                if (toBucket.bucket() < 0 || toBucket.bucket() >= buckets.length) {
                    throw new IllegalArgumentException("there is no bucket " + toBucket.bucket());
                }
                yield new ProducerRecord<>(
                        KafkaTopics.BUCKETS, toBucket.bucket(), null, BucketCommandFormat.encode(toBucket.command()));
            }
            case ToRetained toRetained -> {
                byte[] key = retainedFormat.key(toRetained.topic());
                PublishMessage message = toRetained.message();
                yield new ProducerRecord<>(
                        KafkaTopics.RETAINED,
                        KafkaTopics.partition(key, retained.length),
                        key,
                        message == null ? null : retainedFormat.value(message));
            }
            case ToDeadLetters dead ->
                new ProducerRecord<>(
                        KafkaTopics.DEAD_LETTERS,
                        KafkaTopics.DEAD_LETTERS_PARTITION,
                        null,
                        DeadLetterFormat.encode(KafkaTopics.BUCKETS, dead));
            case ToApplication toApplication -> applications.record(toApplication);
        };
    }

    /** The answer to one append. */
    private final class Answer implements AppendListener {
        private final LogAppend append;
        private final int bytes;
        private final AppendCallback callback;

        Answer(LogAppend append, int bytes, AppendCallback callback) {
            this.append = append;
            this.bytes = bytes;
            this.callback = callback;
        }

        @Override
        public void appended(long offset) {
            KafkaMessageLog.this.appended(append, offset, bytes);
            callback.onAppended();
        }

        @Override
        public void failed(Throwable reason) {
            KafkaMessageLog.this.failed(append);
            callback.onFailed(reason);
        }
    }

    /** The answer to a commit. */
    private final class Committed implements Commit.Listener {
        private final List<LogAppend> appends;
        private final int[] bytes;
        private final AppendCallback callback;

        Committed(List<LogAppend> appends, List<ProducerRecord<byte[], byte[]>> records, AppendCallback callback) {
            this.appends = appends;
            this.bytes = new int[records.size()];
            for (int i = 0; i < bytes.length; i++) {
                byte[] value = records.get(i).value();
                bytes[i] = value == null ? 0 : value.length;
            }
            this.callback = callback;
        }

        @Override
        public void committed(long[] offsets) {
            for (int i = 0; i < offsets.length; i++) {
                appended(appends.get(i), offsets[i], bytes[i]);
            }
            callback.onAppended();
        }

        @Override
        public void failed(Throwable reason) {
            appends.forEach(KafkaMessageLog.this::failed);
            callback.onFailed(reason);
        }
    }
}

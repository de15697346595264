package io.heddle.persistence.kafka.append;

import io.heddle.core.Limit;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.InboundReleased;
import io.heddle.core.delivery.log.JoinedAppends;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.LogAppend.ToClients;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.delivery.log.LogAppend.ToRetained;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.persistence.kafka.ArrivalHeader;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.record.BucketCommandFormat;
import io.heddle.persistence.record.ClientFormat;
import io.heddle.persistence.record.DeadLetterFormat;
import io.heddle.persistence.record.RetainedFormat;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Appends messages and bucket commands to Kafka: single records through {@link LogProducer}, commits through {@link Transactions}. A commit
 * of one retained message, or of one released marker, has the same effect when it is stored twice and is retried. Thread-safe and stateless.
 * Reports to {@link BucketPositions} which commands of this node are in the log.
 */
final class KafkaMessageLog implements MessageLog {
    private final LogProducer producer;
    private final Transactions publishes;
    private final Transactions state;
    private final ApplicationAppends applications;
    private final BucketPositions positions;
    private final Destination[] buckets;
    private final Destination[] retained;
    private final Destination deadLetters;
    private final RetainedFormat retainedFormat = new RetainedFormat();

    /** @param producer the producer for buckets, retained messages and dead letters */
    KafkaMessageLog(
            LogProducer producer,
            Transactions publishes,
            Transactions state,
            ApplicationAppends applications,
            BucketPositions positions,
            int bucketCount) {
        this.producer = producer;
        this.publishes = publishes;
        this.state = state;
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
    public long publisherShare() {
        return producer.publisherShare();
    }

    @Override
    public Limit pendingLimit() {
        return producer.pendingLimit();
    }

    @Override
    public void append(List<LogAppend> appends, AppendCallback callback) {
        // Encode all before sending the first, so that an encoding failure leaves no partial append.
        List<ProducerRecord<byte[], byte[]>> records = records(appends);
        RuntimeException rejection = producer.reserve(records);
        if (rejection != null) {
            callback.onFailed(rejection);
            return;
        }
        AppendCallback ofEach = appends.size() == 1 ? callback : new JoinedAppends(appends.size(), callback);
        for (int i = 0; i < records.size(); i++) {
            send(appends.get(i), records.get(i), ofEach);
        }
    }

    private void send(LogAppend append, ProducerRecord<byte[], byte[]> record, AppendCallback callback) {
        AppendResult result = new AppendResult(append, record.value() == null ? 0 : record.value().length, callback);
        start(append);
        switch (append) {
            case ToBucket toBucket -> producer.appendReserved(buckets[record.partition()], record, result);
            case ToRetained toRetained -> producer.appendReserved(retained[record.partition()], record, result);
            case ToDeadLetters _ -> producer.appendReserved(deadLetters, record, result);
            case ToClients _ -> throw new IllegalArgumentException("commit a change of the log of clients");
            case ToApplication toApplication -> {
                LogProducer own = applications.producer();
                own.appendReserved(own.destination(record.topic(), record.partition()), record, result);
            }
        }
    }

    @Override
    public void commit(List<LogAppend> appends, OrderFence order, AppendCallback callback) {
        List<ProducerRecord<byte[], byte[]>> records = records(appends);
        Commit.Listener result = new CommitResult(appends, records, callback);
        appends.forEach(this::start);
        if (appends.size() == 1 && isRelease(appends.getFirst())) {
            state.commit(Commit.repeatable(records, order, result));
        } else if (appends.size() == 1 && appends.getFirst() instanceof ToRetained) {
            publishes.commit(Commit.repeatable(records, order, result));
        } else {
            publishes.commit(Commit.once(records, order, result));
        }
    }

    private static boolean isRelease(LogAppend append) {
        return append instanceof ToBucket(int _, BucketCommand command) && command instanceof InboundReleased;
    }

    private void start(LogAppend append) {
        if (append instanceof ToApplication toApplication) {
            applications.onStarted(toApplication);
        }
    }

    private void finishAppended(LogAppend append, long offset, int bytes) {
        switch (append) {
            case ToBucket toBucket ->
                positions.appended(
                        toBucket.bucket(), offset, bytes, toBucket.command().writes());
            case ToApplication toApplication -> applications.onFinished(toApplication, true);
            case ToRetained _, ToDeadLetters _, ToClients _ -> {
                // No position to report.
            }
        }
    }

    private void finishUnappended(LogAppend append) {
        if (append instanceof ToApplication toApplication) {
            applications.onFinished(toApplication, false);
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
                    throw new IllegalArgumentException("bucket " + toBucket.bucket() + " does not exist");
                }
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                        KafkaTopics.BUCKETS, toBucket.bucket(), null, BucketCommandFormat.encode(toBucket.command()));
                if (toBucket.command() instanceof BucketCommand.Enqueue enqueue) {
                    ArrivalHeader.add(enqueue.message(), record);
                }
                yield record;
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
            case ToClients(int bucket, LogAppend.ClientStateChange change) -> {
                if (bucket < 0 || bucket >= buckets.length) {
                    throw new IllegalArgumentException("bucket " + bucket + " does not exist");
                }
                ClientChange ofClient = (ClientChange) change;
                yield new ProducerRecord<>(
                        KafkaTopics.CLIENTS, bucket, ClientFormat.key(ofClient), ClientFormat.value(ofClient));
            }
        };
    }

    /** Passes the outcome of one append on. */
    private final class AppendResult implements AppendListener {
        private final LogAppend append;
        private final int bytes;
        private final AppendCallback callback;

        AppendResult(LogAppend append, int bytes, AppendCallback callback) {
            this.append = append;
            this.bytes = bytes;
            this.callback = callback;
        }

        @Override
        public void onAppended(long offset) {
            finishAppended(append, offset, bytes);
            callback.onAppended();
        }

        @Override
        public void onAbandoned() {
            finishUnappended(append);
            callback.onAppended();
        }

        @Override
        public void onFailed(Throwable reason) {
            finishUnappended(append);
            callback.onFailed(reason);
        }
    }

    /** Passes the outcome of a commit on. */
    private final class CommitResult implements Commit.Listener {
        private final List<LogAppend> appends;
        private final int[] bytes;
        private final AppendCallback callback;

        CommitResult(List<LogAppend> appends, List<ProducerRecord<byte[], byte[]>> records, AppendCallback callback) {
            this.appends = appends;
            this.bytes = new int[records.size()];
            for (int i = 0; i < bytes.length; i++) {
                byte[] value = records.get(i).value();
                bytes[i] = value == null ? 0 : value.length;
            }
            this.callback = callback;
        }

        @Override
        public void onCommitted(long[] offsets) {
            for (int i = 0; i < offsets.length; i++) {
                finishAppended(appends.get(i), offsets[i], bytes[i]);
                if (appends.get(i) instanceof ToRetained) {
                    callback.onRetained(offsets[i]);
                }
            }
            callback.onAppended();
        }

        @Override
        public void onFailed(Throwable reason) {
            appends.forEach(KafkaMessageLog.this::finishUnappended);
            callback.onFailed(reason);
        }
    }
}

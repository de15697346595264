package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.ApplicationMessage;
import io.heddle.core.watchdog.WatchedThreads;
import io.heddle.persistence.kafka.ArrivalHeader;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.read.PollLoop;
import io.heddle.persistence.record.ApplicationRecordFormat;
import io.heddle.persistence.record.RecordReader;
import io.heddle.persistence.record.UnreadableRecordException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer for the logs of many APPLICATION clients. A log is assigned while its client is connected and paused while the client lags.
 * Any thread may open a log; the thread of the {@link PollLoop} owns everything else. Bounded by the untaken bytes of each client and the
 * size of a fetch.
 */
final class ApplicationConsumer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApplicationConsumer.class);

    private static final long LAG_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    private final ConcurrentLinkedQueue<OpenApplicationLog> changed = new ConcurrentLinkedQueue<>();
    private final ApplicationMetrics metrics;
    private final PollLoop loop;
    private final LongSupplier nanoTime;
    private final OwnerThread owner = new OwnerThread();
    private volatile long lag;

    ApplicationConsumer(
            String name,
            Consumer<byte[], byte[]> consumer,
            LongSupplier nanoTime,
            ApplicationMetrics metrics,
            WatchedThreads threads,
            MeterRegistry registry) {
        this.nanoTime = nanoTime;
        this.metrics = metrics;
        this.loop = new PollLoop(name, consumer, new Polling(), threads, registry);
    }

    void start() {
        loop.start();
    }

    /** Starts reading a log at an offset. */
    ApplicationLogs.Reading open(
            ClientId clientId, TopicPartition partition, long generation, long from, ApplicationLogs.Sink sink) {
        OpenApplicationLog opened =
                new OpenApplicationLog(clientId, partition, generation, from, sink, this::onChange, owner);
        onChange(opened);
        return opened;
    }

    private void onChange(OpenApplicationLog opened) {
        changed.add(opened);
        loop.wakeUp();
    }

    /** Returns the records that the connected clients have not received, as measured once a second. */
    long lag() {
        return lag;
    }

    @Override
    public void close() {
        loop.close();
    }

    /** The work of the loop's thread. */
    private final class Polling implements PollLoop.Handler {
        private final Map<TopicPartition, OpenApplicationLog> open = new HashMap<>();
        private final Set<TopicPartition> outOfRange = new HashSet<>();
        /** After a fault, the consumer may be ahead of the delivered records. */
        private boolean mustSeek;

        private long lagMeasuredNanos = nanoTime.getAsLong();

        @Override
        public void prepare(Consumer<byte[], byte[]> consumer) {
            owner.assertCurrent();
            List<OpenApplicationLog> started = new ArrayList<>(0);
            boolean mustAssign = false;
            for (OpenApplicationLog each = changed.poll(); each != null; each = changed.poll()) {
                if (each.isClosed()) {
                    mustAssign |= open.remove(each.partition(), each);
                } else if (!each.equals(open.get(each.partition()))) {
                    open.put(each.partition(), each);
                    started.add(each);
                    mustAssign = true;
                } else if (each.tryResume()) {
                    consumer.resume(List.of(each.partition()));
                }
            }
            if (mustAssign) {
                consumer.assign(open.keySet());
            }
            for (OpenApplicationLog each : started) {
                consumer.seek(each.partition(), each.next());
                // The partition may have been paused for an earlier connection.
                consumer.resume(List.of(each.partition()));
            }
            if (mustSeek) {
                open.values().forEach(each -> consumer.seek(each.partition(), each.next()));
                mustSeek = false;
            }
            if (!outOfRange.isEmpty()) {
                seekToBeginnings(consumer);
            }
        }

        @Override
        public boolean isIdle() {
            return open.isEmpty();
        }

        /** Handles logs that do not contain the next offset of their client: it lagged too far, or the log is another one. */
        private void seekToBeginnings(Consumer<byte[], byte[]> consumer) {
            outOfRange.retainAll(open.keySet());
            Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(outOfRange);
            boolean mustAssign = false;
            for (TopicPartition partition : outOfRange) {
                OpenApplicationLog each = open.get(partition);
                Long beginning = beginnings.get(partition);
                if (each == null || beginning == null) {
                    continue;
                }
                if (each.next() < beginning) {
                    metrics.droppedOverflow.increment((double) beginning - each.next());
                    log.warn(
                            "Log {} exceeded heddle.applications.maximum-log-bytes; dropped about {} of its oldest messages:"
                                    + " clientId={}",
                            partition.topic(),
                            beginning - each.next(),
                            each.clientId());
                    each.next(beginning);
                    consumer.seek(partition, beginning);
                } else {
                    stop(
                            each,
                            "its log " + partition.topic() + " ends before offset " + each.next()
                                    + ": Kafka lost records, or the topic was deleted and recreated. Restart the node to read"
                                    + " the log from its beginning");
                    mustAssign = true;
                }
            }
            outOfRange.clear();
            if (mustAssign) {
                consumer.assign(open.keySet());
            }
        }

        private void stop(OpenApplicationLog each, String reason) {
            log.error("APPLICATION client receives no stored messages: {}; clientId={}", reason, each.clientId());
            open.remove(each.partition(), each);
            each.sink().lost(reason);
        }

        @Override
        public void onPolled(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records) {
            owner.assertCurrent();
            boolean mustAssign = false;
            for (TopicPartition partition : records.partitions()) {
                OpenApplicationLog each = open.get(partition);
                if (each == null || each.isClosed()) {
                    continue;
                }
                try {
                    deliver(each, records.records(partition), consumer);
                } catch (UnreadableRecordException e) {
                    stop(each, e.withAdvice());
                    mustAssign = true;
                }
            }
            if (mustAssign) {
                consumer.assign(open.keySet());
            }
            long now = nanoTime.getAsLong();
            if (now - lagMeasuredNanos >= LAG_INTERVAL_NANOS) {
                lagMeasuredNanos = now;
                measureLag(consumer);
            }
        }

        private void deliver(
                OpenApplicationLog each,
                List<ConsumerRecord<byte[], byte[]>> records,
                Consumer<byte[], byte[]> consumer) {
            List<ApplicationMessage> messages = new ArrayList<>(records.size());
            long bytes = 0;
            for (ConsumerRecord<byte[], byte[]> record : records) {
                RecordReader header = header(record);
                if (ApplicationRecordFormat.generation(header) == each.generation()) {
                    ApplicationMessage message =
                            ApplicationRecordFormat.read(record.offset(), record.key(), header(record), record.value());
                    messages.add(ArrivalHeader.read(record, message));
                    bytes += message.message().heldBytes();
                }
            }
            each.next(records.getLast().offset() + 1);
            if (messages.isEmpty()) {
                return;
            }
            metrics.read.increment(messages.size());
            if (each.mustPauseAfter(bytes)) {
                consumer.pause(List.of(each.partition()));
            }
            each.sink().read(messages);
        }

        private static RecordReader header(ConsumerRecord<byte[], byte[]> record) {
            Header header = record.headers().lastHeader(ApplicationRecordFormat.HEADER);
            if (header == null || record.key() == null || record.value() == null) {
                throw new UnreadableRecordException(
                        KafkaTopics.place(record),
                        "it has no key, no value or no header " + ApplicationRecordFormat.HEADER);
            }
            return new RecordReader(header.value(), () -> KafkaTopics.place(record));
        }

        private void measureLag(Consumer<byte[], byte[]> consumer) {
            long sum = 0;
            for (TopicPartition partition : open.keySet()) {
                sum += consumer.currentLag(partition).orElse(0);
            }
            lag = sum;
        }

        @Override
        public boolean onFailure(RuntimeException fault, Consumer<byte[], byte[]> consumer) {
            owner.assertCurrent();
            if (fault instanceof WakeupException) {
                return true;
            }
            if (fault instanceof OffsetOutOfRangeException missing) {
                outOfRange.addAll(missing.offsetOutOfRangePartitions().keySet());
                return true;
            }
            mustSeek = true;
            return false;
        }
    }
}

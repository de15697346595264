package io.heddle.persistence.kafka.application;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.ApplicationMessage;
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
 * One consumer for the logs of many APPLICATION clients: a log is assigned while its client is connected, and paused while the client
 * does not keep up. Any thread opens, and the client's side of each {@link OpenApplicationLog} may change from any; the rest belongs to the
 * thread of its {@link PollLoop}. Bounds: what each client has not taken, and what one fetch brings.
 */
final class ApplicationConsumer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApplicationConsumer.class);

    /** Always assigned and never read, because a consumer that has nothing can't even wait. */
    private static final TopicPartition IDLE = new TopicPartition(KafkaTopics.PROGRESS, 0);

    private static final long LAG_NANOS = Duration.ofSeconds(1).toNanos();

    private final ConcurrentLinkedQueue<OpenApplicationLog> changed = new ConcurrentLinkedQueue<>();
    private final ApplicationMetrics metrics;
    private final PollLoop loop;
    private volatile long lag;

    /** @param name of its thread */
    ApplicationConsumer(
            String name, Consumer<byte[], byte[]> consumer, ApplicationMetrics metrics, MeterRegistry registry) {
        this.metrics = metrics;
        this.loop = new PollLoop(name, consumer, new Polling(), registry);
    }

    void start() {
        loop.start();
    }

    /** Reads a log from an offset on. */
    ApplicationLogs.Reading open(
            ClientId clientId, TopicPartition partition, long generation, long from, ApplicationLogs.Sink sink) {
        OpenApplicationLog opened = new OpenApplicationLog(clientId, partition, generation, from, sink, this::changed);
        changed(opened);
        return opened;
    }

    private void changed(OpenApplicationLog opened) {
        changed.add(opened);
        loop.wakeUp();
    }

    /** How many records its clients have not been handed, as it saw a moment ago. */
    long lag() {
        return lag;
    }

    @Override
    public void close() {
        loop.close();
    }

    /** What happens on the loop's thread. */
    private final class Polling implements PollLoop.Handler {
        private final Map<TopicPartition, OpenApplicationLog> open = new HashMap<>();
        private final Set<TopicPartition> outOfRange = new HashSet<>();
        private boolean assigned;
        /** Whether the consumer may be beyond what was handed over. */
        private boolean unsure;

        private long lagNanos = System.nanoTime();

        @Override
        public void prepare(Consumer<byte[], byte[]> consumer) {
            List<OpenApplicationLog> begun = new ArrayList<>(0);
            boolean other = !assigned;
            for (OpenApplicationLog each = changed.poll(); each != null; each = changed.poll()) {
                if (each.isClosed()) {
                    other |= open.remove(each.partition(), each);
                } else if (!each.equals(open.get(each.partition()))) {
                    open.put(each.partition(), each);
                    begun.add(each);
                    other = true;
                } else if (each.resumes()) {
                    consumer.resume(List.of(each.partition()));
                }
            }
            if (other) {
                assign(consumer);
            }
            for (OpenApplicationLog each : begun) {
                consumer.seek(each.partition(), each.next());
                // Who read it before may have been paused.
                consumer.resume(List.of(each.partition()));
            }
            if (unsure) {
                open.values().forEach(each -> consumer.seek(each.partition(), each.next()));
                unsure = false;
            }
            if (!outOfRange.isEmpty()) {
                findAgain(consumer);
            }
        }

        private void assign(Consumer<byte[], byte[]> consumer) {
            Set<TopicPartition> partitions = new HashSet<>(open.keySet());
            partitions.add(IDLE);
            consumer.assign(partitions);
            if (!assigned) {
                consumer.seek(IDLE, 0);
                consumer.pause(List.of(IDLE));
                assigned = true;
            }
        }

        /** Where a client stopped is not in its log: it was too slow, or the log is another one. */
        private void findAgain(Consumer<byte[], byte[]> consumer) {
            outOfRange.retainAll(open.keySet());
            Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(outOfRange);
            boolean other = false;
            for (TopicPartition partition : outOfRange) {
                OpenApplicationLog each = open.get(partition);
                Long beginning = beginnings.get(partition);
                if (each == null || beginning == null) {
                    continue;
                }
                if (each.next() < beginning) {
                    metrics.droppedOverflow.increment((double) beginning - each.next());
                    log.warn(
                            "clientId={}: its log {} has grown above heddle.applications.maximum-log-bytes, and about {} of its"
                                    + " oldest messages are dropped",
                            each.clientId(),
                            partition.topic(),
                            beginning - each.next());
                    each.next(beginning);
                    consumer.seek(partition, beginning);
                } else {
                    stop(
                            each,
                            "its log " + partition.topic() + " ends before offset " + each.next()
                                    + ": Kafka has lost records, or the topic was deleted and made anew. Restart the node to"
                                    + " begin at what is there");
                    other = true;
                }
            }
            outOfRange.clear();
            if (other) {
                assign(consumer);
            }
        }

        private void stop(OpenApplicationLog each, String reason) {
            log.error("clientId={} gets no stored messages: {}", each.clientId(), reason);
            open.remove(each.partition(), each);
            each.sink().lost(reason);
        }

        @Override
        public void polled(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records) {
            boolean other = false;
            for (TopicPartition partition : records.partitions()) {
                OpenApplicationLog each = open.get(partition);
                if (each == null || each.isClosed()) {
                    continue;
                }
                try {
                    handOver(each, records.records(partition), consumer);
                } catch (UnreadableRecordException e) {
                    stop(each, e.getMessage() + ". Start the version of Heddle that wrote it");
                    other = true;
                }
            }
            if (other) {
                assign(consumer);
            }
            long now = System.nanoTime();
            if (now - lagNanos >= LAG_NANOS) {
                lagNanos = now;
                measureLag(consumer);
            }
        }

        private void handOver(
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
                    messages.add(message);
                    bytes += message.message().heldBytes();
                }
            }
            each.next(records.getLast().offset() + 1);
            if (messages.isEmpty()) {
                return;
            }
            metrics.read.increment(messages.size());
            if (each.pausesAfter(bytes)) {
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
        public boolean failed(RuntimeException fault, Consumer<byte[], byte[]> consumer) {
            if (fault instanceof WakeupException) {
                return true;
            }
            if (fault instanceof OffsetOutOfRangeException lost) {
                outOfRange.addAll(lost.offsetOutOfRangePartitions().keySet());
                return true;
            }
            unsure = true;
            return false;
        }
    }
}

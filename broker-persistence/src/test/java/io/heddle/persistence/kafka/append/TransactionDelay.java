package io.heddle.persistence.kafka.append;

import io.heddle.standalone.testkit.TestServers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Measures by how much open transactions delay the plain records of the same partitions: {@code main} prints the time from send to receipt
 * for a consumer that reads committed records only, and in the same run for one that reads all records. 1,000 plain records a second go to
 * 16 partitions; each transactional producer commits one record to each of four partitions, again and again.
 */
final class TransactionDelay {
    private static final int PARTITIONS = 16;
    private static final int PARTITIONS_OF_COMMIT = 4;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration MEASURED = Duration.ofSeconds(15);
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final byte[] OF_TRANSACTION = {0};

    private final String topic = "delay-" + UUID.randomUUID();
    private final List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList();
    private final LongAdder commits = new LongAdder();
    private volatile boolean stopped;

    private TransactionDelay() {}

    /** Prints a line for each number of transactional producers: none, one, one for each of three nodes, and three for each of them. */
    public static void main(String[] arguments) throws Exception {
        for (int producers : new int[] {0, 1, 3, 9}) {
            new TransactionDelay().measure(producers);
        }
    }

    private void measure(int producers) throws Exception {
        try (Admin admin = Admin.create(client(Map.of()));
                ExecutorService threads = Executors.newCachedThreadPool()) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get();
            Future<long[]> committed = threads.submit(reading("read_committed"));
            Future<long[]> all = threads.submit(reading("read_uncommitted"));
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                int seed = i;
                writers.add(threads.submit(() -> commit(seed)));
            }
            sendPlain();
            stopped = true;
            for (Future<?> writer : writers) {
                writer.get();
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d transactional producers, %,d commits/s: committed p50 %s p99 %s, all p50 %s p99 %s [ms]%n",
                    producers,
                    commits.sum() / WARM_UP.plus(MEASURED).toSeconds(),
                    millis(committed.get(), 50),
                    millis(committed.get(), 99),
                    millis(all.get(), 50),
                    millis(all.get(), 99));
            admin.deleteTopics(List.of(topic)).all().get();
        }
    }

    private void sendPlain() {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            long start = System.nanoTime();
            long end = start + WARM_UP.plus(MEASURED).toNanos();
            int partition = 0;
            for (long next = start; next < end; next += INTERVAL_NANOS) {
                LockSupport.parkNanos(next - System.nanoTime());
                byte[] sent = ByteBuffer.allocate(Long.BYTES)
                        .putLong(System.nanoTime())
                        .array();
                var _ = producer.send(new ProducerRecord<>(topic, partition++ % PARTITIONS, null, sent));
            }
        }
    }

    private void commit(int number) {
        SplittableRandom random = new SplittableRandom(number);
        try (KafkaProducer<byte[], byte[]> producer =
                producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic + "-" + number))) {
            producer.initTransactions();
            while (!stopped) {
                producer.beginTransaction();
                for (int i = 0; i < PARTITIONS_OF_COMMIT; i++) {
                    var _ = producer.send(
                            new ProducerRecord<>(topic, random.nextInt(PARTITIONS), null, OF_TRANSACTION));
                }
                producer.commitTransaction();
                commits.increment();
            }
        }
    }

    /** Returns the delays of the plain records after the warm-up, in nanoseconds. */
    private Callable<long[]> reading(String isolation) {
        return () -> {
            long first = System.nanoTime() + WARM_UP.toNanos();
            List<Long> delays = new ArrayList<>();
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                    client(Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation)),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer())) {
                consumer.assign(partitions);
                consumer.seekToBeginning(partitions);
                while (!stopped) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                        long now = System.nanoTime();
                        if (record.value().length == Long.BYTES && now >= first) {
                            delays.add(now - ByteBuffer.wrap(record.value()).getLong());
                        }
                    }
                }
            }
            return delays.stream().mapToLong(Long::longValue).sorted().toArray();
        };
    }

    private static String millis(long[] sorted, int percent) {
        return String.format(Locale.ROOT, "%.2f", sorted[(int) ((long) sorted.length * percent / 100)] / 1e6);
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
        return new KafkaProducer<>(client(settings), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Map<String, Object> client(Map<String, Object> settings) {
        return TestServers.kafkaClient(TestServers.shared(), settings);
    }
}

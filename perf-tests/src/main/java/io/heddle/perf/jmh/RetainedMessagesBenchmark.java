package io.heddle.perf.jmh;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.retained.RetainOutcome;
import io.heddle.core.retained.RetainedCursor;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.retained.RetainedMessages;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Retained messages: stores, exact look-ups, walks over all messages, and memory. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"
        })
public class RetainedMessagesBenchmark {
    private static final int PAYLOAD_BYTES = 64;
    private static final int STEP = 1_000;
    private static final ClientId PUBLISHER = new ClientId("publisher");

    /** One retained message for each device, and random messages and filters. */
    @State(Scope.Thread)
    public static class Filled {
        private static final int DRAWN = 1 << 14;

        /** The number of retained messages. The published figures are for 1,000,000. */
        @Param("100000")
        private int messages;

        private RetainedMessages retained = empty();
        private PublishMessage[] replacements = {};
        private PublishMessage[] others = {};
        private PublishMessage[] removals = {};
        private TopicFilter[] filters = {};
        private TopicFilter everything = TopicFilter.parse("#", 1);
        private TopicFilter nothing = TopicFilter.parse("+/+/+/+/pressure", SampleData.MAXIMUM_LEVELS);
        private int next;

        /** Stores the messages and checks that walks find all of them, or none. */
        @Setup
        public void fill() {
            RetainedMessagesBenchmark.fill(retained, messages);
            replacements = new PublishMessage[DRAWN];
            others = new PublishMessage[DRAWN];
            removals = new PublishMessage[DRAWN];
            filters = new TopicFilter[DRAWN];
            Random random = new Random(20_261_121);
            for (int i = 0; i < DRAWN; i++) {
                String topic = RetainedMessagesBenchmark.topic(random.nextInt(messages));
                replacements[i] = message(topic, PAYLOAD_BYTES);
                filters[i] = TopicFilter.parse(topic, SampleData.MAXIMUM_LEVELS);
                others[i] = message(topic + "/max", PAYLOAD_BYTES);
                removals[i] = message(topic + "/max", 0);
            }
            Visits visits = new Visits();
            if (walk(everything, visits) != messages || walk(nothing, visits) != 0) {
                throw new IllegalStateException("the walks do not find all of " + messages + " messages, or none");
            }
        }

        private int next() {
            next = (next + 1) & (DRAWN - 1);
            return next;
        }

        private int walk(TopicFilter filter, Visits visits) {
            RetainedCursor cursor = retained.matching(filter);
            int found = 0;
            while (!cursor.isDone()) {
                if (cursor.next(STEP) != null) {
                    found++;
                }
            }
            visits.visit += cursor.visited();
            return found;
        }
    }

    /** Counts the trie nodes that walks enter or leave; JMH reports the time for each as the row {@code :visit}. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Visits {
        /** The number of visits. */
        public long visit;
    }

    /** The memory after a fill; JMH reports it as the row {@code :heapBytes}, for all messages together. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Heap {
        /** The additional heap in use, including payloads. */
        public long heapBytes;

        /** The bytes that count towards the limit of retained messages. */
        public long countedBytes;
    }

    private static RetainedMessages empty() {
        return new RetainedMessages(
                new RetainedLimits(Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, 0),
                new SteadyClock(InstantSource.system(), System::nanoTime),
                new SimpleMeterRegistry());
    }

    private static String topic(int number) {
        // Device names are unique across sites and lines.
        return SampleData.topic(number % SampleData.SITES, number / SampleData.SITES % SampleData.LINES, number);
    }

    private static PublishMessage message(String topic, int payloadBytes) {
        return new PublishMessage(
                PUBLISHER,
                TopicName.parse(topic, SampleData.MAXIMUM_LEVELS),
                QoS.AT_LEAST_ONCE,
                true,
                PublishProperties.NONE,
                BinaryData.wrap(new byte[payloadBytes]),
                PublishMessage.NEVER_EXPIRES);
    }

    private static void fill(RetainedMessages retained, int messages) {
        for (int i = 0; i < messages; i++) {
            if (retained.store(message(topic(i), PAYLOAD_BYTES)) != RetainOutcome.Done.STORED) {
                throw new IllegalStateException(topic(i) + " is not stored as a new message");
            }
        }
    }

    private static long heapInUse() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** Replaces the message of a topic. */
    @Benchmark
    public RetainOutcome replace(Filled filled) {
        return filled.retained.store(filled.replacements[filled.next()]);
    }

    /** Stores the first message of a topic and removes it: two stores. */
    @Benchmark
    public RetainOutcome storeAndRemove(Filled filled) {
        int next = filled.next();
        filled.retained.store(filled.others[next]);
        return filled.retained.store(filled.removals[next]);
    }

    /** Finds the message of a filter without wildcards. */
    @Benchmark
    public @Nullable PublishMessage lookUp(Filled filled) {
        return filled.retained.matching(filled.filters[filled.next()]).next(STEP);
    }

    /** Visits and finds every message, as for {@code #}. */
    @Benchmark
    public int walkAll(Filled filled, Visits visits) {
        return filled.walk(filled.everything, visits);
    }

    /** Visits every node and finds no message, as for a wildcard filter without matches. */
    @Benchmark
    public int walkInVain(Filled filled, Visits visits) {
        return filled.walk(filled.nothing, visits);
    }

    /** Stores the first message of each topic and measures the heap. Runs once, because JMH would add up the bytes. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Fork(
            value = 1,
            jvmArgsAppend = {
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"
            })
    @Warmup(iterations = 1)
    @Measurement(iterations = 1)
    public RetainedMessages fillEmpty(Empty empty, Heap heap) {
        long before = heapInUse();
        RetainedMessages retained = empty();
        fill(retained, empty.messages);
        heap.heapBytes = heapInUse() - before;
        heap.countedBytes = retained.bytes();
        return retained;
    }

    /** The number of messages to store. */
    @State(Scope.Thread)
    public static class Empty {
        @Param("100000")
        private int messages;
    }
}

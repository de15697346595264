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

/** Retained messages: storing, one exact look-up, walks over all of them, and their memory. */
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

    /** As many retained messages as devices, and what is published and looked up, drawn by chance. */
    @State(Scope.Thread)
    public static class Filled {
        private static final int DRAWN = 1 << 14;

        /** How many retained messages there are. The published figures are for 1,000,000. */
        @Param("100000")
        private int messages;

        private RetainedMessages retained = empty();
        private PublishMessage[] replacements = {};
        private PublishMessage[] others = {};
        private PublishMessage[] removals = {};
        private TopicFilter[] filters = {};
        private TopicFilter everything = TopicFilter.parse("#", 1);
        private TopicFilter nothing = TopicFilter.parse("+/+/+/+/pressure", Plant.MAXIMUM_LEVELS);
        private int next;

        /** Fills it and checks that walks find all of it and none of it. */
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
                filters[i] = TopicFilter.parse(topic, Plant.MAXIMUM_LEVELS);
                others[i] = message(topic + "/max", PAYLOAD_BYTES);
                removals[i] = message(topic + "/max", 0);
            }
            Visits visits = new Visits();
            if (walk(everything, visits) != messages || walk(nothing, visits) != 0) {
                throw new IllegalStateException("does not find " + messages + " of " + messages + ", then none");
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

    /** Counts nodes of the trie that walks enter or leave; JMH reports the time for each as the row {@code :visit}. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Visits {
        /** How many visits there were. */
        public long visit;
    }

    /** Memory after a fill; JMH reports it as the row {@code :heapBytes}, for all messages together. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Heap {
        /** How much more of the heap was in use, their payloads included. */
        public long heapBytes;

        /** How much the limit counted for the same. */
        public long countedBytes;
    }

    private static RetainedMessages empty() {
        return new RetainedMessages(
                new RetainedLimits(Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, 0),
                new SteadyClock(InstantSource.system(), System::nanoTime),
                new SimpleMeterRegistry());
    }

    private static String topic(int number) {
        // No two devices have the same name, wherever they stand.
        return Plant.topic(number % Plant.SITES, number / Plant.SITES % Plant.LINES, number);
    }

    private static PublishMessage message(String topic, int payloadBytes) {
        return new PublishMessage(
                PUBLISHER,
                TopicName.parse(topic, Plant.MAXIMUM_LEVELS),
                QoS.AT_LEAST_ONCE,
                true,
                PublishProperties.NONE,
                BinaryData.wrap(new byte[payloadBytes]),
                PublishMessage.NEVER_EXPIRES);
    }

    private static void fill(RetainedMessages retained, int messages) {
        for (int i = 0; i < messages; i++) {
            if (retained.store(message(topic(i), PAYLOAD_BYTES)) != RetainOutcome.Done.STORED) {
                throw new IllegalStateException(topic(i) + " is not stored as a new one");
            }
        }
    }

    private static long heapInUse() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** A message takes the place of the one of its topic. */
    @Benchmark
    public RetainOutcome replace(Filled filled) {
        return filled.retained.store(filled.replacements[filled.next()]);
    }

    /** A topic gets its first message and loses it again: two stores. */
    @Benchmark
    public RetainOutcome storeAndRemove(Filled filled) {
        int next = filled.next();
        filled.retained.store(filled.others[next]);
        return filled.retained.store(filled.removals[next]);
    }

    /** What a subscription without wildcards finds: one message. */
    @Benchmark
    public @Nullable PublishMessage lookUp(Filled filled) {
        return filled.retained.matching(filled.filters[filled.next()]).next(STEP);
    }

    /** Every message, as for {@code #}. */
    @Benchmark
    public int walkAll(Filled filled, Visits visits) {
        return filled.walk(filled.everything, visits);
    }

    /** Every node and no message, as for a wildcard filter that nothing matches. */
    @Benchmark
    public int walkInVain(Filled filled, Visits visits) {
        return filled.walk(filled.nothing, visits);
    }

    /** Stores the first message of every topic, and measures what that leaves in the heap. Once: JMH would add the bytes. */
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

    /** How many messages are stored. */
    @State(Scope.Thread)
    public static class Empty {
        @Param("100000")
        private int messages;
    }
}

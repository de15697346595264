package io.heddle.perf.jmh;

import io.heddle.core.mqtt.TopicName;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.SharedGroup;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.Arrays;
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

/** One walk of the subscription trie: time for a topic and for each subscription found. */
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
public class SubscriptionTrieBenchmark {
    /** The subscriptions and what is published. */
    @State(Scope.Thread)
    public static class Filled {
        // More than fit into the processor's nearest caches, as in a broker with many publishers.
        private static final int TOPICS = 1 << 16;
        private static final int CHECKED = 1_000;

        @Param
        private Subscribed subscribed = Subscribed.EXACT;

        private final SubscriptionTrie trie = new SubscriptionTrie();
        private final Finder finder = new Finder();
        private String[] texts = {};
        private TopicName[] topics = {};
        private int next;

        /** Fills the trie and checks that each topic finds what it should. */
        @Setup
        public void fill() {
            subscribed.fill(trie);
            texts = Plant.topics(TOPICS, subscribed.devicesPerLine);
            topics = Arrays.stream(texts).map(Plant::parse).toArray(TopicName[]::new);
            Found found = new Found();
            for (int i = 0; i < CHECKED; i++) {
                match(topics[i], found);
            }
            if (trie.size() != subscribed.subscriptions || found.subscription != (long) CHECKED * subscribed.matches) {
                throw new IllegalStateException(subscribed + " has " + trie.size() + " subscriptions, of which "
                        + CHECKED + " topics match " + found.subscription);
            }
        }

        private @Nullable Object match(TopicName topic, Found found) {
            finder.found = 0;
            trie.match(topic, finder);
            found.subscription += finder.found;
            return finder.last;
        }

        private int next() {
            return next++ & (TOPICS - 1);
        }
    }

    /** Counts what matches find; JMH reports the time for each as the row {@code :subscription}. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Found {
        /** How many subscriptions were found. */
        public long subscription;
    }

    /** Takes what matches find. */
    private static final class Finder implements SubscriptionTrie.Matches {
        private long found;
        private @Nullable Subscription last;

        @Override
        public void nextFilter() {}

        @Override
        public void add(LocalSession session, Subscription subscription) {
            found++;
            last = subscription;
        }

        @Override
        public void add(PersistentSubscriber session, Subscription subscription) {
            throw new IllegalStateException("nobody's session outlives its connection here");
        }

        @Override
        public void add(SharedGroup group) {
            throw new IllegalStateException("nobody shares a subscription here");
        }
    }

    /** A topic whose levels are split and hashed, as that of a client that publishes to one topic again and again. */
    @Benchmark
    public @Nullable Object match(Filled filled, Found found) {
        return filled.match(filled.topics[filled.next()], found);
    }

    /** A topic that comes as text, as that of a client that publishes to another topic each time. */
    @Benchmark
    public @Nullable Object parseAndMatch(Filled filled, Found found) {
        return filled.match(Plant.parse(filled.texts[filled.next()]), found);
    }
}

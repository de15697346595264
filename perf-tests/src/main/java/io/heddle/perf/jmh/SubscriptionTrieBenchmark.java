package io.heddle.perf.jmh;

import io.heddle.core.mqtt.TopicName;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RemoteNode;
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

/** One match in the subscription trie: the time for a topic and for each found subscription. */
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
    /** The subscriptions and the published topics. */
    @State(Scope.Thread)
    public static class Filled {
        // More than the L1 and L2 caches can hold, as in a broker with many publishers.
        private static final int TOPICS = 1 << 16;
        private static final int CHECKED = 1_000;

        @Param
        private SubscriptionSet subscribed = SubscriptionSet.EXACT;

        private final SubscriptionTrie trie = new SubscriptionTrie();
        private final Finder finder = new Finder();
        private String[] texts = {};
        private TopicName[] topics = {};
        private int next;

        /** Fills the trie and checks the matches of each topic. */
        @Setup
        public void fill() {
            subscribed.fill(trie);
            texts = SampleData.topics(TOPICS, subscribed.devicesPerLine);
            topics = Arrays.stream(texts).map(SampleData::parse).toArray(TopicName[]::new);
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

    /** Counts the found subscriptions; JMH reports the time for each as the row {@code :subscription}. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Found {
        /** The number of found subscriptions. */
        public long subscription;
    }

    /** Counts the found subscriptions. */
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
            throw new IllegalStateException("this benchmark has no persistent sessions");
        }

        @Override
        public void add(RemoteNode node, RemoteNode.Interest interest) {
            throw new IllegalStateException("there is no other node");
        }

        @Override
        public void add(SharedGroup group) {
            throw new IllegalStateException("this benchmark has no shared subscriptions");
        }
    }

    /** Matches a parsed topic, as for a client that always publishes to the same topic. */
    @Benchmark
    public @Nullable Object match(Filled filled, Found found) {
        return filled.match(filled.topics[filled.next()], found);
    }

    /** Parses and matches a topic, as for a client that publishes to a different topic each time. */
    @Benchmark
    public @Nullable Object parseAndMatch(Filled filled, Found found) {
        return filled.match(SampleData.parse(filled.texts[filled.next()]), found);
    }
}

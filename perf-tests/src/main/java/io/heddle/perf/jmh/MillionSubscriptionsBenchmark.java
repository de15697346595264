package io.heddle.perf.jmh;

import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.SharedGroup;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
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

/** A million subscriptions: a match, and a client that unsubscribes and subscribes again. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xms3g",
            "-Xmx3g"
        })
public class MillionSubscriptionsBenchmark {
    /** The subscriptions and the published topics. */
    @State(Scope.Thread)
    public static class Filled {
        private static final int TOPICS = 1 << 16;
        private static final int CHECKED = 100;

        @Param("1000000")
        private int subscriptions;

        @Param
        private SubscriptionPattern subscribed = SubscriptionPattern.DISTINCT;

        private final SubscriptionTrie trie = new SubscriptionTrie();
        private final Finder finder = new Finder();
        private final TopicName[] topics = new TopicName[TOPICS];
        private CountingSession[] sessions = {};
        private Subscription[] wanted = {};
        private int next;

        /** Fills the trie and checks the matches of each topic. */
        @Setup
        public void fill() {
            sessions = new CountingSession[subscriptions];
            wanted = new Subscription[subscriptions];
            for (int i = 0; i < subscriptions; i++) {
                sessions[i] = SampleData.session(i, InlineEventLoop.own());
                wanted[i] = SampleData.subscription(subscribed.filter(i));
                trie.put(sessions[i], wanted[i]);
            }
            RandomGenerator random = new Random(20_261_101);
            for (int i = 0; i < TOPICS; i++) {
                topics[i] = subscribed.parsedTopic(random.nextInt(Integer.MAX_VALUE), subscriptions);
            }
            for (int i = 0; i < CHECKED; i++) {
                finder.found = 0;
                trie.match(topics[i], finder);
                if (finder.found != subscribed.matches(subscriptions) || trie.size() != subscriptions) {
                    throw new IllegalStateException(topics[i] + " finds " + finder.found + " of " + trie.size());
                }
            }
        }
    }

    /** Counts the found subscriptions; JMH reports the time for each as the row {@code :subscription}. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Found {
        /** The number of found subscriptions. */
        public long subscription;
    }

    /** Reads the found subscriptions as routing does; otherwise half of the cache misses would be missing. */
    private static final class Finder implements SubscriptionTrie.Matches {
        private long found;
        private long notLocal;
        private @Nullable EventLoop last;

        @Override
        public void nextFilter() {}

        @Override
        public void add(LocalSession session, Subscription subscription) {
            found++;
            notLocal += subscription.noLocal() ? 1 : 0;
            last = session.eventLoop();
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

    /** Matches a parsed topic. */
    @Benchmark
    public @Nullable Object match(Filled filled, Found found) {
        filled.finder.found = 0;
        filled.trie.match(filled.topics[filled.next++ & (Filled.TOPICS - 1)], filled.finder);
        found.subscription += filled.finder.found;
        return filled.finder.notLocal == 0 ? filled.finder.last : null;
    }

    /** One client unsubscribes and subscribes; the time is for both together. */
    @Benchmark
    public @Nullable Object removeAndPut(Filled filled) {
        // A step that is coprime to the number of clients visits all of them, with large distances.
        filled.next = (filled.next + 7_919) % filled.subscriptions;
        CountingSession session = filled.sessions[filled.next];
        Subscription subscription = filled.wanted[filled.next];
        if (!filled.trie.remove(session, subscription.topicFilter())) {
            throw new IllegalStateException(session.clientId() + " had no subscription");
        }
        return filled.trie.put(session, subscription);
    }
}

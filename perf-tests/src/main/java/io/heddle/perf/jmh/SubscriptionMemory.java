package io.heddle.perf.jmh;

import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Measures the heap for each subscription, as the difference of the heap in use after garbage collections. Two figures: the trie alone, and
 * the subscription itself (options, filter, and the filter's text), which session and trie share. The sessions are created before and not
 * counted.
 */
public final class SubscriptionMemory {
    private static final int COLLECTIONS = 4;
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    private SubscriptionMemory() {}

    /** Prints a row for each pattern. The argument is the number of subscriptions; default: a million. */
    public static void main(String[] arguments) {
        measure(arguments.length == 0 ? 1_000_000 : Integer.parseInt(arguments[0]), System.out);
    }

    static void measure(int count, PrintStream out) {
        out.println("subscriptions of " + count + " clients: bytes per subscription");
        for (SubscriptionPattern subscribed : SubscriptionPattern.values()) {
            // The first measurement includes class loading; only the second is printed.
            measure(subscribed, count, new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
            measure(subscribed, count, out);
        }
    }

    private static void measure(SubscriptionPattern subscribed, int count, PrintStream out) {
        CountingSession[] sessions = new CountingSession[count];
        Subscription[] subscriptions = new Subscription[count];
        try {
            measure(subscribed, sessions, subscriptions, out);
        } finally {
            // Otherwise they could be collected after their last use.
            Reference.reachabilityFence(sessions);
            Reference.reachabilityFence(subscriptions);
        }
    }

    private static void measure(
            SubscriptionPattern subscribed, CountingSession[] sessions, Subscription[] subscriptions, PrintStream out) {
        int count = sessions.length;
        InlineEventLoop loop = InlineEventLoop.own();
        for (int i = 0; i < count; i++) {
            sessions[i] = SampleData.session(i, loop);
            // The trie uses the identity hash code, which is stored in the object when it is first requested.
            System.identityHashCode(sessions[i]);
        }
        long before = used();
        for (int i = 0; i < count; i++) {
            subscriptions[i] = SampleData.subscription(subscribed.filter(i));
        }
        long parsed = used();
        SubscriptionTrie trie = new SubscriptionTrie();
        for (int i = 0; i < count; i++) {
            trie.put(sessions[i], subscriptions[i]);
        }
        long filled = used();
        if (trie.size() != count) {
            throw new IllegalStateException(subscribed + " has " + trie.size() + " subscriptions");
        }
        out.printf(
                Locale.ROOT,
                "%-12s trie %6.1f   subscription %6.1f   nodes of the trie %d%n",
                subscribed,
                (filled - parsed) / (double) count,
                (parsed - before) / (double) count,
                trie.nodeCount());
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            MEMORY.gc();
        }
        return MEMORY.getHeapMemoryUsage().getUsed();
    }
}

package io.heddle.perf.jmh;

import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;

/** The subscriptions in a measured trie. Public, because generated code of JMH refers to it. */
public enum SubscriptionSet {
    /** 100,000 exact filters with one subscriber each; a topic matches one. */
    EXACT(100, 100_000, 1) {
        @Override
        void fill(SubscriptionTrie trie) {
            subscribeToAllDevices(trie);
        }
    },
    /** 3,000 subscribers of one filter with wildcards, which every topic matches. */
    FAN_OUT(10, 3_000, 3_000) {
        @Override
        void fill(SubscriptionTrie trie) {
            Subscription subscription = SampleData.subscription("plant/+/+/+/temperature");
            for (int i = 0; i < subscriptions; i++) {
                trie.put(SampleData.session(i, InlineEventLoop.own()), subscription);
            }
        }
    },
    /** 12,211 filters, exact ones and wildcards at each level; a topic matches 6 of them. */
    MIXED(10, 12_211, 6) {
        @Override
        void fill(SubscriptionTrie trie) {
            subscribeToAllDevices(trie);
            put(trie, "#");
            for (int line = 0; line < SampleData.LINES; line++) {
                put(trie, "plant/+/" + line + "/+/temperature");
            }
            for (int site = 0; site < SampleData.SITES; site++) {
                put(trie, "plant/" + site + "/#");
                put(trie, "+/" + site + "/+/+/temperature");
                for (int line = 0; line < SampleData.LINES; line++) {
                    put(trie, "plant/" + site + "/" + line + "/+/+");
                    put(trie, "plant/" + site + "/" + line + "/+/pressure");
                }
            }
        }
    };

    /** The number of publishing devices of each line. */
    final int devicesPerLine;

    /** The number of subscriptions. */
    final int subscriptions;

    /** The number of subscriptions that match each topic. */
    final int matches;

    SubscriptionSet(int devicesPerLine, int subscriptions, int matches) {
        this.devicesPerLine = devicesPerLine;
        this.subscriptions = subscriptions;
        this.matches = matches;
    }

    abstract void fill(SubscriptionTrie trie);

    void subscribeToAllDevices(SubscriptionTrie trie) {
        for (int site = 0; site < SampleData.SITES; site++) {
            for (int line = 0; line < SampleData.LINES; line++) {
                for (int device = 0; device < devicesPerLine; device++) {
                    put(trie, SampleData.topic(site, line, device));
                }
            }
        }
    }

    static void put(SubscriptionTrie trie, String filter) {
        trie.put(SampleData.session(trie.size(), InlineEventLoop.own()), SampleData.subscription(filter));
    }
}

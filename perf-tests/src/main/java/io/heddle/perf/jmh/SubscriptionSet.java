package io.heddle.perf.jmh;

import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;

/** What is subscribed to while a trie is measured; public because the measuring code that JMH generates names it. */
public enum Subscribed {
    /** 100,000 exact filters with one subscriber each; a topic matches one. */
    EXACT(100, 100_000, 1) {
        @Override
        void fill(SubscriptionTrie trie) {
            everyDevice(trie);
        }
    },
    /** 3,000 subscribers of one filter with wildcards, which every topic matches. */
    FAN_OUT(10, 3_000, 3_000) {
        @Override
        void fill(SubscriptionTrie trie) {
            Subscription subscription = Plant.subscription("plant/+/+/+/temperature");
            for (int i = 0; i < subscriptions; i++) {
                trie.put(Plant.session(i, InlineEventLoop.own()), subscription);
            }
        }
    },
    /** 12,211 filters, exact ones and wildcards in every place; a topic matches 6 of them. */
    MIXED(10, 12_211, 6) {
        @Override
        void fill(SubscriptionTrie trie) {
            everyDevice(trie);
            put(trie, "#");
            for (int line = 0; line < Plant.LINES; line++) {
                put(trie, "plant/+/" + line + "/+/temperature");
            }
            for (int site = 0; site < Plant.SITES; site++) {
                put(trie, "plant/" + site + "/#");
                put(trie, "+/" + site + "/+/+/temperature");
                for (int line = 0; line < Plant.LINES; line++) {
                    put(trie, "plant/" + site + "/" + line + "/+/+");
                    put(trie, "plant/" + site + "/" + line + "/+/pressure");
                }
            }
        }
    };

    /** Devices of each line that publish. */
    final int devicesPerLine;

    /** How many subscriptions there are. */
    final int subscriptions;

    /** How many of them match each topic. */
    final int matches;

    Subscribed(int devicesPerLine, int subscriptions, int matches) {
        this.devicesPerLine = devicesPerLine;
        this.subscriptions = subscriptions;
        this.matches = matches;
    }

    abstract void fill(SubscriptionTrie trie);

    void everyDevice(SubscriptionTrie trie) {
        for (int site = 0; site < Plant.SITES; site++) {
            for (int line = 0; line < Plant.LINES; line++) {
                for (int device = 0; device < devicesPerLine; device++) {
                    put(trie, Plant.topic(site, line, device));
                }
            }
        }
    }

    static void put(SubscriptionTrie trie, String filter) {
        trie.put(Plant.session(trie.size(), InlineEventLoop.own()), Plant.subscription(filter));
    }
}

package io.heddle.perf.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.heddle.core.subscription.Subscription;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Which outcomes are right when subscriptions change while a topic is matched. */
final class SubscriptionTrieStress {
    private SubscriptionTrieStress() {}

    /** Somebody subscribes to a filter that somebody has. */
    @JCStressTest
    @Outcome(id = "10", expect = ACCEPTABLE, desc = "not yet")
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "already")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class Put {
        private final Subscribing all = new Subscribing();
        private final Visitor stays = all.subscribed(Subscribing.EXACT);
        private final Visitor guest = new Visitor();

        /** Comes. */
        @Actor
        public void put() {
            all.trie.put(guest, Subscribing.EXACT);
        }

        /** Finds the one that stays (tens) and the guest (ones). */
        @Actor
        public void look(I_Result result) {
            result.r1 = all.found(stays, guest);
        }
    }

    /** Somebody unsubscribes from a filter that somebody keeps. */
    @JCStressTest
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "not yet")
    @Outcome(id = "10", expect = ACCEPTABLE, desc = "already")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class Remove {
        private final Subscribing all = new Subscribing();
        private final Visitor stays = all.subscribed(Subscribing.EXACT);
        private final Visitor guest = all.subscribed(Subscribing.EXACT);

        /** Goes. */
        @Actor
        public void remove() {
            all.trie.remove(guest, Subscribing.EXACT.topicFilter());
        }

        /** Finds the one that stays (tens) and the guest (ones). */
        @Actor
        public void look(I_Result result) {
            result.r1 = all.found(stays, guest);
        }
    }

    /** Somebody unsubscribes and subscribes again, with others coming between. */
    @JCStressTest
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "before or after")
    @Outcome(id = "10", expect = ACCEPTABLE, desc = "between")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class GoAndComeBack {
        private final Subscribing all = new Subscribing();
        private final Visitor stays = all.subscribed(Subscribing.EXACT);
        private final Visitor guest = all.subscribed(Subscribing.EXACT);

        /** Goes and comes back to another place. */
        @Actor
        public void comeBack() {
            all.trie.remove(guest, Subscribing.EXACT.topicFilter());
            all.trie.put(new Visitor(), Subscribing.EXACT);
            all.trie.put(guest, Subscribing.EXACT);
        }

        /** Finds the one that stays (tens) and the guest (ones). */
        @Actor
        public void look(I_Result result) {
            result.r1 = all.found(stays, guest);
        }
    }

    /** The only subscriber goes and comes back, its nodes with it. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "before or after")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "between")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class OnlyOneGoesAndComesBack {
        private final Subscribing all = new Subscribing();
        private final Visitor guest = all.subscribed(Subscribing.EXACT);

        /** Goes and comes back. */
        @Actor
        public void comeBack() {
            all.trie.remove(guest, Subscribing.EXACT.topicFilter());
            all.trie.put(guest, Subscribing.EXACT);
        }

        /** Finds it or not. */
        @Actor
        public void look(I_Result result) {
            result.r1 = all.found(guest);
        }
    }

    /** A filter gets more subscribers than one array holds. */
    @JCStressTest
    @Outcome(id = "32|33|34", expect = ACCEPTABLE, desc = "all that stay, and those that have come")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class Grow {
        private static final int FULL = 32;

        private final Subscribing all = new Subscribing();

        /** As many as an array holds, from which on it forks. */
        public Grow() {
            for (int i = 0; i < FULL; i++) {
                all.subscribed(Subscribing.EXACT);
            }
        }

        /** Two come. */
        @Actor
        public void putTwo() {
            all.subscribed(Subscribing.EXACT);
            all.subscribed(Subscribing.EXACT);
        }

        /** Counts everybody. */
        @Actor
        public void look(I_Result result) {
            result.r1 = all.foundAll();
        }
    }

    /** A filter with forked subscribers loses all but a few, and with them the fork. */
    @JCStressTest
    @Outcome(id = "1[0-9]|2[0-9]|3[0-4]", expect = ACCEPTABLE, desc = "some have gone")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "one that stays was lost, or one was found twice")
    @State
    public static class Shrink {
        private static final int STAYING = 10;
        private static final int GOING = 24;

        private final Subscribing all = new Subscribing();
        private final Visitor[] going = new Visitor[GOING];

        /** Forked. */
        public Shrink() {
            for (int i = 0; i < STAYING; i++) {
                all.subscribed(Subscribing.EXACT);
            }
            for (int i = 0; i < GOING; i++) {
                going[i] = all.subscribed(Subscribing.EXACT);
            }
        }

        /** Most go. */
        @Actor
        public void removeMost() {
            for (Visitor visitor : going) {
                all.trie.remove(visitor, Subscribing.EXACT.topicFilter());
            }
        }

        /** Counts everybody. */
        @Actor
        public void look(I_Result result) {
            result.r1 = all.foundAll();
        }
    }

    /** The level beside ours gets more names than one table holds, and loses them again. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "always there")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class ManySiblings {
        private static final int BEFORE = 40;
        private static final int MORE = 4;

        private static final Subscription[] SIBLINGS = new Subscription[BEFORE + MORE];

        static {
            for (int i = 0; i < SIBLINGS.length; i++) {
                SIBLINGS[i] = Subscribing.subscription("a/" + i);
            }
        }

        private final Subscribing all = new Subscribing();
        private final Visitor stays = all.subscribed(Subscribing.EXACT);
        private final Visitor other = new Visitor();

        /** Almost as many as a table holds. */
        public ManySiblings() {
            for (int i = 0; i < BEFORE; i++) {
                all.trie.put(other, SIBLINGS[i]);
            }
        }

        /** More names come, and all of them go. */
        @Actor
        public void grow() {
            for (int i = BEFORE; i < SIBLINGS.length; i++) {
                all.trie.put(other, SIBLINGS[i]);
            }
            for (Subscription sibling : SIBLINGS) {
                all.trie.remove(other, sibling.topicFilter());
            }
        }

        /** Finds the one that stays. */
        @Actor
        public void look(I_Result result) {
            result.r1 = all.found(stays);
        }
    }

    /** The last subscriber of a filter goes while another comes: the nodes stay for it. */
    @JCStressTest
    @Outcome(id = "1, 3", expect = ACCEPTABLE, desc = "there, in the nodes of its filter")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "lost in a node that was removed")
    @State
    public static class LastGoesWhileAnotherComes {
        private final Subscribing all = new Subscribing();
        private final Visitor leaves = all.subscribed(Subscribing.EXACT);
        private final Visitor comes = new Visitor();

        /** Goes. */
        @Actor
        public void remove() {
            all.trie.remove(leaves, Subscribing.EXACT.topicFilter());
        }

        /** Comes. */
        @Actor
        public void put() {
            all.trie.put(comes, Subscribing.EXACT);
        }

        /** Looks when both are done. */
        @Arbiter
        public void look(II_Result result) {
            result.r1 = all.found(comes);
            result.r2 = all.trie.nodeCount();
        }
    }
}

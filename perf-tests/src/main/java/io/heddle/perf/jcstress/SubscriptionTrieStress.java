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

/** The acceptable outcomes when subscriptions change while a topic is matched. */
final class SubscriptionTrieStress {
    private SubscriptionTrieStress() {}

    /** A second session subscribes to a filter. */
    @JCStressTest
    @Outcome(id = "10", expect = ACCEPTABLE, desc = "not yet")
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "already")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class Put {
        private final StressTrie all = new StressTrie();
        private final StressSession permanent = all.subscribed(StressTrie.EXACT);
        private final StressSession changing = new StressSession();

        /** Subscribes. */
        @Actor
        public void put() {
            all.trie.put(changing, StressTrie.EXACT);
        }

        /** Counts the permanent session (tens) and the other one (ones). */
        @Actor
        public void match(I_Result result) {
            result.r1 = all.found(permanent, changing);
        }
    }

    /** One of two sessions unsubscribes from a filter. */
    @JCStressTest
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "not yet")
    @Outcome(id = "10", expect = ACCEPTABLE, desc = "already")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class Remove {
        private final StressTrie all = new StressTrie();
        private final StressSession permanent = all.subscribed(StressTrie.EXACT);
        private final StressSession changing = all.subscribed(StressTrie.EXACT);

        /** Unsubscribes. */
        @Actor
        public void remove() {
            all.trie.remove(changing, StressTrie.EXACT.topicFilter());
        }

        /** Counts the permanent session (tens) and the other one (ones). */
        @Actor
        public void match(I_Result result) {
            result.r1 = all.found(permanent, changing);
        }
    }

    /** A session unsubscribes and subscribes again, and another one subscribes in between. */
    @JCStressTest
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "before or after")
    @Outcome(id = "10", expect = ACCEPTABLE, desc = "between")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class Resubscribe {
        private final StressTrie all = new StressTrie();
        private final StressSession permanent = all.subscribed(StressTrie.EXACT);
        private final StressSession changing = all.subscribed(StressTrie.EXACT);

        /** Unsubscribes and subscribes at another position. */
        @Actor
        public void resubscribe() {
            all.trie.remove(changing, StressTrie.EXACT.topicFilter());
            all.trie.put(new StressSession(), StressTrie.EXACT);
            all.trie.put(changing, StressTrie.EXACT);
        }

        /** Counts the permanent session (tens) and the other one (ones). */
        @Actor
        public void match(I_Result result) {
            result.r1 = all.found(permanent, changing);
        }
    }

    /** The only session unsubscribes and subscribes again, so that its nodes are removed and created. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "before or after")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "between")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class OnlySessionResubscribes {
        private final StressTrie all = new StressTrie();
        private final StressSession changing = all.subscribed(StressTrie.EXACT);

        /** Unsubscribes and subscribes again. */
        @Actor
        public void resubscribe() {
            all.trie.remove(changing, StressTrie.EXACT.topicFilter());
            all.trie.put(changing, StressTrie.EXACT);
        }

        /** Counts the session. */
        @Actor
        public void match(I_Result result) {
            result.r1 = all.found(changing);
        }
    }

    /** A filter gets more sessions than one array can hold. */
    @JCStressTest
    @Outcome(id = "32|33|34", expect = ACCEPTABLE, desc = "the initial sessions and some of the new ones")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class Grow {
        private static final int FULL = 32;

        private final StressTrie all = new StressTrie();

        /** As many sessions as an array can hold. */
        public Grow() {
            for (int i = 0; i < FULL; i++) {
                all.subscribed(StressTrie.EXACT);
            }
        }

        /** Two sessions subscribe. */
        @Actor
        public void putTwo() {
            all.subscribed(StressTrie.EXACT);
            all.subscribed(StressTrie.EXACT);
        }

        /** Counts all sessions. */
        @Actor
        public void match(I_Result result) {
            result.r1 = all.foundAll();
        }
    }

    /** A filter with more sessions than one array can hold loses most of them. */
    @JCStressTest
    @Outcome(id = "1[0-9]|2[0-9]|3[0-4]", expect = ACCEPTABLE, desc = "some have unsubscribed")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a permanent session was lost, or a session was found twice")
    @State
    public static class Shrink {
        private static final int STAYING = 10;
        private static final int GOING = 24;

        private final StressTrie all = new StressTrie();
        private final StressSession[] going = new StressSession[GOING];

        /** More sessions than an array can hold. */
        public Shrink() {
            for (int i = 0; i < STAYING; i++) {
                all.subscribed(StressTrie.EXACT);
            }
            for (int i = 0; i < GOING; i++) {
                going[i] = all.subscribed(StressTrie.EXACT);
            }
        }

        /** Most sessions unsubscribe. */
        @Actor
        public void removeMost() {
            for (StressSession session : going) {
                all.trie.remove(session, StressTrie.EXACT.topicFilter());
            }
        }

        /** Counts all sessions. */
        @Actor
        public void match(I_Result result) {
            result.r1 = all.foundAll();
        }
    }

    /** The siblings of a node outgrow one table, and are removed again. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "always found")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "found twice, or lost")
    @State
    public static class ManySiblings {
        private static final int BEFORE = 40;
        private static final int MORE = 4;

        private static final Subscription[] SIBLINGS = new Subscription[BEFORE + MORE];

        static {
            for (int i = 0; i < SIBLINGS.length; i++) {
                SIBLINGS[i] = StressTrie.subscription("a/" + i);
            }
        }

        private final StressTrie all = new StressTrie();
        private final StressSession permanent = all.subscribed(StressTrie.EXACT);
        private final StressSession other = new StressSession();

        /** Almost as many siblings as a table can hold. */
        public ManySiblings() {
            for (int i = 0; i < BEFORE; i++) {
                all.trie.put(other, SIBLINGS[i]);
            }
        }

        /** Adds siblings and removes all of them. */
        @Actor
        public void grow() {
            for (int i = BEFORE; i < SIBLINGS.length; i++) {
                all.trie.put(other, SIBLINGS[i]);
            }
            for (Subscription sibling : SIBLINGS) {
                all.trie.remove(other, sibling.topicFilter());
            }
        }

        /** Counts the permanent session. */
        @Actor
        public void match(I_Result result) {
            result.r1 = all.found(permanent);
        }
    }

    /** The last session of a filter unsubscribes while another subscribes: the nodes are kept. */
    @JCStressTest
    @Outcome(id = "1, 3", expect = ACCEPTABLE, desc = "found, in the nodes of its filter")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "lost in a node that was removed")
    @State
    public static class LastLeavesWhileAnotherJoins {
        private final StressTrie all = new StressTrie();
        private final StressSession leaves = all.subscribed(StressTrie.EXACT);
        private final StressSession comes = new StressSession();

        /** Unsubscribes. */
        @Actor
        public void remove() {
            all.trie.remove(leaves, StressTrie.EXACT.topicFilter());
        }

        /** Subscribes. */
        @Actor
        public void put() {
            all.trie.put(comes, StressTrie.EXACT);
        }

        /** Checks the result. */
        @Arbiter
        public void match(II_Result result) {
            result.r1 = all.found(comes);
            result.r2 = all.trie.nodeCount();
        }
    }
}

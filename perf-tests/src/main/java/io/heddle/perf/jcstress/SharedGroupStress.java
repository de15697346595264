package io.heddle.perf.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The acceptable outcomes when members join and leave a shared subscription while messages are routed. */
final class SharedGroupStress {
    private SharedGroupStress() {}

    /** A second member joins while a message is routed. */
    @JCStressTest
    @Outcome(id = "1|2", expect = ACCEPTABLE, desc = "one member gets it")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "no member or both get it")
    @State
    public static class Join {
        private final StressTrie all = new StressTrie();
        private final StressSession first = new StressSession(1);
        private final StressSession second = new StressSession(2);

        /** Starts with one member, which has had its turn. */
        public Join() {
            all.trie.put(first, StressTrie.SHARED);
            all.recipient();
        }

        /** Adds the second member. */
        @Actor
        public void join() {
            all.trie.put(second, StressTrie.SHARED);
        }

        /** Routes a message. */
        @Actor
        public void route(I_Result result) {
            result.r1 = all.recipient();
        }
    }

    /** The member whose turn it is leaves while a message is routed. */
    @JCStressTest
    @Outcome(id = "1|2", expect = ACCEPTABLE, desc = "one member gets it")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "no member or both get it")
    @State
    public static class Leave {
        private final StressTrie all = new StressTrie();
        private final StressSession first = new StressSession(1);
        private final StressSession second = new StressSession(2);

        /** Starts with two members. */
        public Leave() {
            all.trie.put(first, StressTrie.SHARED);
            all.trie.put(second, StressTrie.SHARED);
        }

        /** Removes the first member. */
        @Actor
        public void leave() {
            all.trie.remove(first, StressTrie.SHARED.topicFilter());
        }

        /** Routes a message. */
        @Actor
        public void route(I_Result result) {
            result.r1 = all.recipient();
        }
    }

    /** The only member leaves while a message is routed. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "it has left")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "it has not left")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "there is no other member")
    @State
    public static class LastLeaves {
        private final StressTrie all = new StressTrie();
        private final StressSession first = new StressSession(1);

        /** Starts with one member. */
        public LastLeaves() {
            all.trie.put(first, StressTrie.SHARED);
        }

        /** Removes the first member. */
        @Actor
        public void leave() {
            all.trie.remove(first, StressTrie.SHARED.topicFilter());
        }

        /** Routes a message. */
        @Actor
        public void route(I_Result result) {
            result.r1 = all.recipient();
        }
    }

    /** One member joins before another leaves, so that the group is never empty. */
    @JCStressTest
    @Outcome(id = "1|2", expect = ACCEPTABLE, desc = "one member gets it")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "no member or both get it")
    @State
    public static class Relay {
        private final StressTrie all = new StressTrie();
        private final StressSession first = new StressSession(1);
        private final StressSession second = new StressSession(2);

        /** Starts with one member. */
        public Relay() {
            all.trie.put(first, StressTrie.SHARED);
        }

        /** Adds the second member and removes the first. */
        @Actor
        public void relay() {
            all.trie.put(second, StressTrie.SHARED);
            all.trie.remove(first, StressTrie.SHARED.topicFilter());
        }

        /** Routes a message. */
        @Actor
        public void route(I_Result result) {
            result.r1 = all.recipient();
        }
    }

    /** Two threads each route a message to a group of two. */
    @JCStressTest
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "one each")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "one each")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "unequal shares")
    @State
    public static class TwoRoute {
        private final StressTrie all = new StressTrie();
        private final StressSession first = new StressSession(1);
        private final StressSession second = new StressSession(2);

        /** Starts with two members. */
        public TwoRoute() {
            all.trie.put(first, StressTrie.SHARED);
            all.trie.put(second, StressTrie.SHARED);
        }

        /** Routes a message. */
        @Actor
        public void route(II_Result result) {
            result.r1 = all.recipient();
        }

        /** Routes another message. */
        @Actor
        public void routeAnother(II_Result result) {
            result.r2 = all.recipient();
        }
    }

    /** The last member leaves while another joins: the group or its successor has the new member. */
    @JCStressTest
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "the new member is alone")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "lost in a group that has ended")
    @State
    public static class LastLeavesWhileAnotherJoins {
        private final StressTrie all = new StressTrie();
        private final StressSession first = new StressSession(1);
        private final StressSession second = new StressSession(2);

        /** Starts with one member. */
        public LastLeavesWhileAnotherJoins() {
            all.trie.put(first, StressTrie.SHARED);
        }

        /** Removes the first member. */
        @Actor
        public void leave() {
            all.trie.remove(first, StressTrie.SHARED.topicFilter());
        }

        /** Adds the second member. */
        @Actor
        public void join() {
            all.trie.put(second, StressTrie.SHARED);
        }

        /** Checks the result. */
        @Arbiter
        public void route(II_Result result) {
            result.r1 = all.recipient();
            result.r2 = all.trie.size();
        }
    }
}

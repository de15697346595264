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

/** Which outcomes are right when members of a shared subscription come and go while messages are routed. */
final class SharedGroupStress {
    private SharedGroupStress() {}

    /** A second member joins while a message is routed. */
    @JCStressTest
    @Outcome(id = "1|2", expect = ACCEPTABLE, desc = "one of them gets it")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "nobody gets it, or both")
    @State
    public static class Join {
        private final Subscribing all = new Subscribing();
        private final Visitor first = new Visitor(1);
        private final Visitor second = new Visitor(2);

        /** One member, which has had its turn. */
        public Join() {
            all.trie.put(first, Subscribing.SHARED);
            all.recipient();
        }

        /** Comes. */
        @Actor
        public void join() {
            all.trie.put(second, Subscribing.SHARED);
        }

        /** A message goes to one member. */
        @Actor
        public void route(I_Result result) {
            result.r1 = all.recipient();
        }
    }

    /** The one of two members whose turn it is leaves while a message is routed. */
    @JCStressTest
    @Outcome(id = "1|2", expect = ACCEPTABLE, desc = "one of them gets it")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "nobody gets it, or both")
    @State
    public static class Leave {
        private final Subscribing all = new Subscribing();
        private final Visitor first = new Visitor(1);
        private final Visitor second = new Visitor(2);

        /** Two members. */
        public Leave() {
            all.trie.put(first, Subscribing.SHARED);
            all.trie.put(second, Subscribing.SHARED);
        }

        /** Goes. */
        @Actor
        public void leave() {
            all.trie.remove(first, Subscribing.SHARED.topicFilter());
        }

        /** A message goes to one member. */
        @Actor
        public void route(I_Result result) {
            result.r1 = all.recipient();
        }
    }

    /** The only member leaves while a message is routed. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "it has left")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "it has not left")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "nobody else is there")
    @State
    public static class LastLeaves {
        private final Subscribing all = new Subscribing();
        private final Visitor first = new Visitor(1);

        /** One member. */
        public LastLeaves() {
            all.trie.put(first, Subscribing.SHARED);
        }

        /** Goes. */
        @Actor
        public void leave() {
            all.trie.remove(first, Subscribing.SHARED.topicFilter());
        }

        /** A message goes to one member. */
        @Actor
        public void route(I_Result result) {
            result.r1 = all.recipient();
        }
    }

    /** One member joins before another leaves: at no moment is the group empty. */
    @JCStressTest
    @Outcome(id = "1|2", expect = ACCEPTABLE, desc = "one of them gets it")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "nobody gets it, or both")
    @State
    public static class Relay {
        private final Subscribing all = new Subscribing();
        private final Visitor first = new Visitor(1);
        private final Visitor second = new Visitor(2);

        /** One member. */
        public Relay() {
            all.trie.put(first, Subscribing.SHARED);
        }

        /** Comes, and the other goes. */
        @Actor
        public void relay() {
            all.trie.put(second, Subscribing.SHARED);
            all.trie.remove(first, Subscribing.SHARED.topicFilter());
        }

        /** A message goes to one member. */
        @Actor
        public void route(I_Result result) {
            result.r1 = all.recipient();
        }
    }

    /** Two threads route a message each to a group of two. */
    @JCStressTest
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "one each")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "one each")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "unequal shares")
    @State
    public static class TwoRoute {
        private final Subscribing all = new Subscribing();
        private final Visitor first = new Visitor(1);
        private final Visitor second = new Visitor(2);

        /** Two members. */
        public TwoRoute() {
            all.trie.put(first, Subscribing.SHARED);
            all.trie.put(second, Subscribing.SHARED);
        }

        /** A message goes to one member. */
        @Actor
        public void route(II_Result result) {
            result.r1 = all.recipient();
        }

        /** Another message goes to the other. */
        @Actor
        public void routeToo(II_Result result) {
            result.r2 = all.recipient();
        }
    }

    /** The last member leaves while another joins: the group, or its successor, has the newcomer. */
    @JCStressTest
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "it is there, alone")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "lost in a group that has ended")
    @State
    public static class LastLeavesWhileAnotherJoins {
        private final Subscribing all = new Subscribing();
        private final Visitor first = new Visitor(1);
        private final Visitor second = new Visitor(2);

        /** One member. */
        public LastLeavesWhileAnotherJoins() {
            all.trie.put(first, Subscribing.SHARED);
        }

        /** Goes. */
        @Actor
        public void leave() {
            all.trie.remove(first, Subscribing.SHARED.topicFilter());
        }

        /** Comes. */
        @Actor
        public void join() {
            all.trie.put(second, Subscribing.SHARED);
        }

        /** Looks when both are done. */
        @Arbiter
        public void route(II_Result result) {
            result.r1 = all.recipient();
            result.r2 = all.trie.size();
        }
    }
}

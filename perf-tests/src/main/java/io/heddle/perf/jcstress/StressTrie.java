package io.heddle.perf.jcstress;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.routing.Router;
import io.heddle.core.routing.RoutingPlan;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.SharedGroup;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;

/** The trie of each state, and the operations of the actors. Filters and topics are parsed once. */
final class StressTrie {
    static final Subscription EXACT = subscription("a/b");
    static final Subscription SHARED = subscription("$share/g/a/b");

    private static final int LEVELS = 8;
    private static final TopicName TOPIC = TopicName.parse("a/b", LEVELS);
    private static final PublishMessage MESSAGE = new PublishMessage(
            new ClientId("publisher"),
            TOPIC,
            QoS.AT_MOST_ONCE,
            false,
            PublishProperties.NONE,
            BinaryData.wrap(new byte[0]),
            PublishMessage.NEVER_EXPIRES);

    final SubscriptionTrie trie = new SubscriptionTrie();
    private final Router router = new Router(trie);

    static Subscription subscription(String filter) {
        return new Subscription(
                TopicFilter.parse(filter, LEVELS),
                QoS.AT_MOST_ONCE,
                false,
                false,
                SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER);
    }

    StressSession subscribed(Subscription subscription) {
        StressSession session = new StressSession();
        trie.put(session, subscription);
        return session;
    }

    /** The number of times that a match finds a session. */
    int found(StressSession wanted) {
        Counts counts = new Counts(wanted);
        trie.match(TOPIC, counts);
        return counts.found;
    }

    /** The number of times that a match finds each of two sessions, in tens and ones. */
    int found(StressSession tens, StressSession ones) {
        Counts counts = new Counts(tens, ones);
        trie.match(TOPIC, counts);
        return 10 * counts.found + counts.foundOther;
    }

    /** The number of subscriptions that a match finds. */
    int foundAll() {
        Counts counts = new Counts();
        trie.match(TOPIC, counts);
        return counts.all;
    }

    /** Routes a message. Returns the number of its only recipient; 0 if there is none, -1 if there are several. */
    int recipient() {
        RoutingPlan plan = router.route(MESSAGE);
        return switch (plan.recipients()) {
            case 0 -> 0;
            case 1 -> ((StressSession) plan.onLoop(0).session(0)).number;
            default -> -1;
        };
    }

    private static final class Counts implements SubscriptionTrie.Matches {
        private final StressSession[] wanted;
        private int found;
        private int foundOther;
        private int all;

        Counts(StressSession... wanted) {
            this.wanted = wanted;
        }

        @Override
        public void nextFilter() {}

        @Override
        public void add(LocalSession session, Subscription subscription) {
            all++;
            if (wanted.length > 0 && session == wanted[0]) {
                found++;
            } else if (wanted.length > 1 && session == wanted[1]) {
                foundOther++;
            }
        }

        @Override
        public void add(PersistentSubscriber session, Subscription subscription) {
            throw new IllegalStateException("this test has no persistent sessions");
        }

        @Override
        public void add(RemoteNode node, RemoteNode.Interest interest) {
            throw new IllegalStateException("there is no other node");
        }

        @Override
        public void add(SharedGroup group) {
            throw new IllegalStateException("groups are routed to, not counted");
        }
    }
}

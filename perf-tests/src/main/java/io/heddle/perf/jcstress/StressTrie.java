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
import io.heddle.core.subscription.SharedGroup;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;

/** The trie that each state has, and how the actors use it. What is subscribed to and published to is parsed once. */
final class Subscribing {
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

    Visitor subscribed(Subscription subscription) {
        Visitor visitor = new Visitor();
        trie.put(visitor, subscription);
        return visitor;
    }

    /** How often a match finds a session. */
    int found(Visitor wanted) {
        Counts counts = new Counts(wanted);
        trie.match(TOPIC, counts);
        return counts.found;
    }

    /** How often a match finds each of two sessions, in tens and ones. */
    int found(Visitor tens, Visitor ones) {
        Counts counts = new Counts(tens, ones);
        trie.match(TOPIC, counts);
        return 10 * counts.found + counts.foundOther;
    }

    /** How many subscriptions a match finds. */
    int foundAll() {
        Counts counts = new Counts();
        trie.match(TOPIC, counts);
        return counts.all;
    }

    /** The number of the recipient of a message that one client gets; 0 when nobody does, -1 when several do. */
    int recipient() {
        RoutingPlan plan = router.route(MESSAGE);
        return switch (plan.recipients()) {
            case 0 -> 0;
            case 1 -> ((Visitor) plan.onLoop(0).session(0)).number;
            default -> -1;
        };
    }

    private static final class Counts implements SubscriptionTrie.Matches {
        private final Visitor[] wanted;
        private int found;
        private int foundOther;
        private int all;

        Counts(Visitor... wanted) {
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
            throw new IllegalStateException("nobody's session outlives its connection here");
        }

        @Override
        public void add(SharedGroup group) {
            throw new IllegalStateException("a group is routed to, not counted");
        }
    }
}

package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.Member;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RemoteMembers;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.SessionSubscriber;
import io.heddle.core.subscription.SharedGroup;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The recipients of one message, grouped by their delivery path. Belongs to one thread, which reuses it for each message; the arrays are
 * kept, so that routing allocates nothing once they have grown to the largest fan-out.
 */
@HotPath
public final class RoutingPlan implements SubscriptionTrie.Matches {
    private static final int ALL_PURPOSES = -1;
    private static final int INITIAL_LOOPS = 4;
    private static final int INITIAL_GROUPS = 4;

    private final SharedSubscriptionSelector selector = new SharedSubscriptionSelector();
    private @Nullable PublishMessage message;
    private int filters;
    private int recipients;
    // By the index of the event loop; the first `loopCount` of `order` are those that this message reaches.
    private @Nullable LoopRecipients[] byLoop = new @Nullable LoopRecipients[INITIAL_LOOPS];
    private LoopRecipients[] order = new LoopRecipients[INITIAL_LOOPS];
    private int loopCount;
    private final PersistentRecipients persistent = new PersistentRecipients();
    private final NodeRecipients nodes = new NodeRecipients();
    // Another node has routed the message.
    private boolean forwarded;
    // Constants of NodeRecipients; shared subscriptions are chosen for all purposes only.
    private int purposes;
    // Persistent sessions that the other node takes for connected to this one, less those that are.
    private int missing;
    // The latest connect to this node that the other node knew.
    private long connectNumber;
    private int away;
    // The selected member of each matching shared subscription, until the end of the walk.
    private @Nullable Member[] chosen = new @Nullable Member[INITIAL_GROUPS];
    private int chosenCount;

    RoutingPlan() {}

    void begin(PublishMessage message) {
        for (int i = 0; i < loopCount; i++) {
            order[i].clear();
        }
        persistent.clear();
        nodes.clear();
        forwarded = false;
        purposes = ALL_PURPOSES;
        this.message = message;
        away = 0;
        filters = 0;
        recipients = 0;
        loopCount = 0;
        chosenCount = 0;
    }

    /** Begins the plan of a message that another node has routed. */
    void beginForwarded(PublishMessage message, int purposes, int persistentSessions, long latestConnect) {
        begin(message);
        forwarded = true;
        this.purposes = purposes;
        missing = persistentSessions;
        connectNumber = latestConnect;
    }

    /** Begins the plan of a message that its publisher repeats. */
    void beginRepeated(PublishMessage message) {
        begin(message);
        purposes = NodeRecipients.SUBSCRIBERS;
    }

    private boolean isFor(int purpose) {
        return (purposes & purpose) != 0;
    }

    @Override
    public void nextFilter() {
        filters++;
    }

    @Override
    public void add(LocalSession session, Subscription subscription) {
        // The trie may still contain a session whose connection has just ended.
        if (isOwnMessage(session, subscription) || !session.isConnected() || !isFor(NodeRecipients.SUBSCRIBERS)) {
            return;
        }
        LoopRecipients loop = recipientsOn(session.eventLoop());
        // Subscribers of one filter are distinct, so duplicates are possible from the second filter on.
        if (loop.add(session, subscription.terms(), filters > 1)) {
            recipients++;
        }
    }

    @Override
    public void add(PersistentSubscriber session, Subscription subscription) {
        if (!isOwnMessage(session, subscription)
                && isFor(NodeRecipients.PERSISTENT)
                && persistent.add(session, subscription.terms(), filters > 1)) {
            recipients++;
        }
    }

    private boolean isOwnMessage(SessionSubscriber session, Subscription subscription) {
        return subscription.noLocal() && message != null && message.publisher().equals(session.clientId());
    }

    @Override
    public void add(RemoteNode node, RemoteNode.Interest interest) {
        if (forwarded || node.isGone()) {
            return;
        }
        if (nodes.add(node, NodeRecipients.SUBSCRIBERS | acknowledged(interest))) {
            recipients++;
        }
    }

    private void addElsewhere(RemoteMembers members, int place) {
        if (place >= 0) {
            nodes.addMember(members.node(place), members.sharedFilter(), acknowledged(members.interest(place)));
            recipients++;
        }
    }

    private static int acknowledged(RemoteNode.Interest interest) {
        return interest == RemoteNode.Interest.ACKNOWLEDGED ? NodeRecipients.ACKNOWLEDGED : 0;
    }

    @Override
    public void add(SharedGroup group) {
        if (purposes != ALL_PURPOSES) {
            return;
        }
        RemoteMembers others = group.remoteMembers();
        int place = others == null ? -1 : selector.chooseNode(group, others);
        if (others != null && place >= 0) {
            addElsewhere(others, place);
            return;
        }
        Member member = selector.choose(group);
        if (member == null) {
            if (others != null) {
                addElsewhere(others, others.placeOf(0));
            }
            return;
        }
        if (chosenCount == chosen.length) {
            chosen = Arrays.copyOf(chosen, chosenCount * 2);
        }
        chosen[chosenCount++] = member;
    }

    /** Adds a member on this node that gets the message without a log; false if there is none. After {@link #end}. */
    boolean addMemberHere(SharedGroup group) {
        Member member = message == null ? null : selector.chooseHere(group, message.qos());
        LocalSession session = switch (member == null ? null : member.session()) {
            case null -> null;
            case LocalSession connected -> connected;
            case PersistentSubscriber persistentSession -> persistentSession.connection();
        };
        if (member == null || session == null) {
            return false;
        }
        recipientsOn(session.eventLoop()).add(session, member.subscription().terms(), false);
        recipients++;
        return true;
    }

    /**
     * Completes the plan after the walk. Members of shared subscriptions are added last and are not merged, because shared subscriptions
     * are independent of each other and of their members' other subscriptions (MQTT 5.0, section 4.8.2).
     */
    void end() {
        for (int i = 0; i < chosenCount; i++) {
            Member member = chosen[i];
            if (member != null) {
                add(member);
                chosen[i] = null;
            }
        }
        recipients += chosenCount;
        chosenCount = 0;
        for (int i = 0; i < persistent.count(); i++) {
            if (!isLogged(i)) {
                addConnected(persistent.session(i), persistent.terms(i));
            }
        }
        if (forwarded) {
            away = Math.max(0, missing);
        }
    }

    private void add(Member member) {
        DeliveryTerms terms = member.subscription().terms();
        switch (member.session()) {
            case LocalSession session -> recipientsOn(session.eventLoop()).add(session, terms, false);
            case PersistentSubscriber session -> persistent.add(session, terms, false);
        }
    }

    /** Adds a QoS 0 copy for a persistent session, which gets it only while connected. */
    private void addConnected(PersistentSubscriber session, DeliveryTerms terms) {
        LocalSession connection = session.connection();
        if (forwarded) {
            if (connection != null && session.connectNumber() <= connectNumber) {
                recipientsOn(connection.eventLoop()).add(connection, terms, false);
                missing--;
            }
        } else if (connection != null) {
            recipientsOn(connection.eventLoop()).add(connection, terms, false);
        } else {
            addElsewhere(session.node(), terms.sharedFilter());
        }
    }

    /** Adds a QoS 0 copy for a persistent session that may be connected to another node. */
    private void addElsewhere(@Nullable RemoteNode node, @Nullable TopicFilter sharedFilter) {
        if (node == null || node.isGone()) {
            away++;
        } else if (sharedFilter == null) {
            nodes.addPersistent(node);
        } else {
            nodes.addMember(node, sharedFilter.value(), 0);
        }
    }

    private LoopRecipients recipientsOn(EventLoop eventLoop) {
        int index = eventLoop.index();
        if (index >= byLoop.length) {
            byLoop = Arrays.copyOf(byLoop, Math.max(index + 1, byLoop.length * 2));
        }
        LoopRecipients loop = byLoop[index];
        if (loop == null) {
            loop = new LoopRecipients(eventLoop);
            byLoop[index] = loop;
        }
        if (loop.count() == 0) {
            if (loopCount == order.length) {
                order = Arrays.copyOf(order, loopCount * 2);
            }
            order[loopCount++] = loop;
        }
        return loop;
    }

    /** The number of copies: one for each client and shared subscription that this node knows, and one for each other node. */
    public int recipients() {
        return recipients;
    }

    /**
     * The number of QoS 0 copies that are dropped because their persistent sessions are not connected. If another node has routed the message,
     * the number of those that it takes for connected to this one.
     */
    public int away() {
        return away;
    }

    /**
     * The recipients with persistent sessions. Connected ones that are not {@link #isLogged} are also among the recipients of the loops.
     */
    public PersistentRecipients persistent() {
        return persistent;
    }

    /** Returns whether a persistent recipient's copy goes through a log, because its QoS is above 0. */
    public boolean isLogged(int i) {
        return message != null && persistent.qos(i, message.qos()) != QoS.AT_MOST_ONCE;
    }

    /** The other nodes that the message is sent to. */
    public NodeRecipients nodes() {
        return nodes;
    }

    /** The number of event loops with recipients. */
    public int loopCount() {
        return loopCount;
    }

    /** The recipients on one of the loops, {@code 0 <= i < loopCount()}. */
    public LoopRecipients onLoop(int i) {
        return order[i];
    }
}

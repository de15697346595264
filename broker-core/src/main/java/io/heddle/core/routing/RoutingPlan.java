package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.Member;
import io.heddle.core.subscription.PersistentSubscriber;
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
        this.message = message;
        away = 0;
        filters = 0;
        recipients = 0;
        loopCount = 0;
        chosenCount = 0;
    }

    @Override
    public void nextFilter() {
        filters++;
    }

    @Override
    public void add(LocalSession session, Subscription subscription) {
        // The trie may still contain a session whose connection has just ended.
        if (isOwnMessage(session, subscription) || !session.isConnected()) {
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
        if (!isOwnMessage(session, subscription) && persistent.add(session, subscription.terms(), filters > 1)) {
            recipients++;
        }
    }

    private boolean isOwnMessage(SessionSubscriber session, Subscription subscription) {
        return subscription.noLocal() && message != null && message.publisher().equals(session.clientId());
    }

    @Override
    public void add(SharedGroup group) {
        Member member = selector.choose(group);
        if (member == null) {
            return;
        }
        if (chosenCount == chosen.length) {
            chosen = Arrays.copyOf(chosen, chosenCount * 2);
        }
        chosen[chosenCount++] = member;
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
                addConnected(persistent.session(i).connection(), persistent.terms(i));
            }
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
    private void addConnected(@Nullable LocalSession session, DeliveryTerms terms) {
        if (session == null) {
            away++;
        } else {
            recipientsOn(session.eventLoop()).add(session, terms, false);
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

    /** The number of copies: one for each client, and one for each shared subscription. */
    public int recipients() {
        return recipients;
    }

    /** The number of QoS 0 copies that are dropped because their persistent sessions are not connected. */
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

    /** The number of event loops with recipients. */
    public int loopCount() {
        return loopCount;
    }

    /** The recipients on one of the loops, {@code 0 <= i < loopCount()}. */
    public LoopRecipients onLoop(int i) {
        return order[i];
    }
}

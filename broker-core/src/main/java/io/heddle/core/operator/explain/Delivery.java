package io.heddle.core.operator.explain;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.operator.client.SubscriptionEntry;
import io.heddle.core.session.SessionAdministration.DeliveryCheck;
import io.heddle.core.subscription.MatchingSubscriptions;
import io.heddle.core.subscription.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts that decide whether a client gets the messages on a topic.
 *
 * @param subscriptions the number of all its subscriptions
 * @param qos the highest granted QoS of those that match
 * @param isShared whether all that match are shared
 * @param isNoLocal whether all that match have the option No Local
 * @param matching some of the subscriptions that match
 * @param similar subscriptions that would match if upper and lower case, and slashes at the ends, did not count
 * @param rules null while the client is away: they decide when it connects
 * @param output null while the client is away
 */
public record Delivery(
        int subscriptions,
        QoS qos,
        boolean isShared,
        boolean isNoLocal,
        List<SubscriptionEntry> matching,
        List<SubscriptionEntry> similar,
        @Nullable RuleDecision rules,
        @Nullable Output output) {
    /**
     * The messages on their way to a connected client.
     *
     * @param isIdle whether a further QoS 1 or 2 message is sent at once
     * @param isReading false while the client does not read what it is sent
     * @param isPaused whether a limit of the rules delays messages
     * @param inFlight messages that were sent and are not acknowledged
     * @param maximumInFlight the send quota
     * @param waiting in the memory of the node
     */
    public record Output(
            boolean isIdle, boolean isReading, boolean isPaused, int inFlight, int maximumInFlight, long waiting) {}

    public Delivery {
        matching = List.copyOf(matching);
        similar = List.copyOf(similar);
    }

    static Delivery of(DeliveryCheck check) {
        return of(
                check.subscriptions(),
                RuleDecision.of(check.rules()),
                new Output(
                        check.isIdle(),
                        check.isReading(),
                        check.isPaused(),
                        check.inFlight(),
                        check.maximumInFlight(),
                        check.waiting()));
    }

    static Delivery ofAway(MatchingSubscriptions found) {
        return of(found, null, null);
    }

    private static Delivery of(MatchingSubscriptions found, @Nullable RuleDecision rules, @Nullable Output output) {
        return new Delivery(
                found.total(),
                found.qos(),
                found.isShared(),
                found.isNoLocal(),
                entries(found.matching()),
                entries(found.similar()),
                rules,
                output);
    }

    Delivery with(List<SubscriptionEntry> otherMatching, List<SubscriptionEntry> otherSimilar) {
        return new Delivery(subscriptions, qos, isShared, isNoLocal, otherMatching, otherSimilar, rules, output);
    }

    private static List<SubscriptionEntry> entries(List<Subscription> subscriptions) {
        return subscriptions.stream().map(SubscriptionEntry::of).toList();
    }
}

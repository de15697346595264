package io.heddle.core.operator.explain;

import io.heddle.core.operator.client.SubscriptionEntry;
import io.heddle.core.session.SessionAdministration.DeliveryCheck;
import io.heddle.core.subscription.MatchingSubscriptions;
import io.heddle.core.subscription.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What decides whether a client gets the messages on a topic.
 *
 * @param subscriptions the number of all its subscriptions
 * @param matching subscriptions
 * @param similar subscriptions that would match if upper and lower case, and slashes at the ends, did not count
 * @param rules null while the client is away: they decide when it connects
 * @param output null while the client is away
 */
public record Delivery(
        int subscriptions,
        List<SubscriptionEntry> matching,
        List<SubscriptionEntry> similar,
        @Nullable RuleDecision rules,
        @Nullable Output output) {
    /**
     * The messages on their way to a connected client.
     *
     * @param isReading false while the client does not read what it is sent
     * @param isPaused whether a limit of the rules delays messages
     * @param inFlight messages that were sent and are not acknowledged
     * @param maximumInFlight the send quota
     * @param waiting in the memory of the node
     */
    public record Output(boolean isReading, boolean isPaused, int inFlight, int maximumInFlight, long waiting) {}

    public Delivery {
        matching = List.copyOf(matching);
        similar = List.copyOf(similar);
    }

    static Delivery of(DeliveryCheck check) {
        return new Delivery(
                check.subscriptions().total(),
                entries(check.subscriptions().matching()),
                entries(check.subscriptions().similar()),
                RuleDecision.of(check.rules()),
                new Output(
                        check.isReading(),
                        check.isPaused(),
                        check.inFlight(),
                        check.maximumInFlight(),
                        check.waiting()));
    }

    static Delivery ofAway(MatchingSubscriptions found) {
        return new Delivery(found.total(), entries(found.matching()), entries(found.similar()), null, null);
    }

    private static List<SubscriptionEntry> entries(List<Subscription> subscriptions) {
        return subscriptions.stream().map(SubscriptionEntry::of).toList();
    }
}

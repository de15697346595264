package io.heddle.core.operator.rule;

import io.heddle.core.authorization.CompiledRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.SubscriptionDecision;
import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.EventLoop;
import io.heddle.core.session.ClientSession;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.subscription.Subscription;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Finds the subscriptions of the connected clients of this node that proposed rules would deny. Changes nothing. Owned by one event loop, for
 * its clients.
 */
public final class RuleDryRun implements BackgroundWork {
    /** The check of one filter takes some microseconds. */
    private static final int CHECKS_PER_STEP = 16;

    private final RuleSet proposed;
    private final int maximumLosses;
    private final Iterator<ClientSession> clients;
    private final CompletableFuture<Result> done = new CompletableFuture<>();
    private final List<Loss> losses = new ArrayList<>();
    private long checkedClients;
    private long checkedSubscriptions;
    private long losingClients;
    private long lost;
    // Of the client that is being checked.
    private @Nullable ClientSession client;
    private @Nullable CompiledRules rules;
    private Iterator<Subscription> unchecked = Collections.emptyIterator();
    private boolean hasLost;

    /**
     * A subscription that would be denied.
     *
     * @param userName null if the client has none
     */
    public record Loss(String clientId, @Nullable String userName, String topicFilter) {}

    /**
     * What the proposed rules would change.
     *
     * @param clients that were checked
     * @param subscriptions that were checked
     * @param losingClients which would lose a subscription or more
     * @param lostSubscriptions of these clients
     * @param losses some of these subscriptions
     */
    public record Result(
            long clients, long subscriptions, long losingClients, long lostSubscriptions, List<Loss> losses) {
        /** Nothing was checked. */
        public static final Result NONE = new Result(0, 0, 0, 0, List.of());

        public Result {
            losses = List.copyOf(losses);
        }

        private Result and(Result other, int maximumLosses) {
            List<Loss> both = new ArrayList<>(losses);
            both.addAll(other.losses);
            return new Result(
                    clients + other.clients,
                    subscriptions + other.subscriptions,
                    losingClients + other.losingClients,
                    lostSubscriptions + other.lostSubscriptions,
                    both.subList(0, Math.min(both.size(), maximumLosses)));
        }
    }

    private RuleDryRun(RuleSet proposed, int maximumLosses, Iterator<ClientSession> clients) {
        this.proposed = proposed;
        this.maximumLosses = maximumLosses;
        this.clients = clients;
    }

    /** Checks all connected clients. Any thread. */
    public static CompletionStage<Result> of(LocalSessions sessions, RuleSet proposed, int maximumLosses) {
        Map<EventLoop, List<ClientSession>> byLoop = new HashMap<>();
        for (ClientSession each : sessions.all()) {
            byLoop.computeIfAbsent(each.eventLoop(), _ -> new ArrayList<>()).add(each);
        }
        CompletionStage<Result> all = CompletableFuture.completedStage(Result.NONE);
        for (Map.Entry<EventLoop, List<ClientSession>> each : byLoop.entrySet()) {
            RuleDryRun ofLoop =
                    new RuleDryRun(proposed, maximumLosses, each.getValue().iterator());
            each.getKey().execute(() -> each.getKey().inBackground(ofLoop));
            all = all.thenCombine(ofLoop.done, (left, right) -> left.and(right, maximumLosses));
        }
        return all;
    }

    @Override
    public boolean step() {
        for (int i = 0; i < CHECKS_PER_STEP; i++) {
            ClientSession current = client;
            CompiledRules compiled = rules;
            if (current != null && compiled != null && unchecked.hasNext()) {
                check(current, compiled, unchecked.next());
            } else if (clients.hasNext()) {
                begin(clients.next());
            } else {
                done.complete(new Result(checkedClients, checkedSubscriptions, losingClients, lost, losses));
                return false;
            }
        }
        return true;
    }

    private void begin(ClientSession next) {
        client = next.isConnected() ? next : null;
        if (client != null) {
            checkedClients++;
            hasLost = false;
            rules = next.rules().under(proposed);
            unchecked = List.copyOf(next.subscriptions().byFilter().values()).iterator();
        }
    }

    private void check(ClientSession of, CompiledRules compiled, Subscription subscription) {
        checkedSubscriptions++;
        if (compiled.decideSubscription(
                        subscription.topicFilter(), subscription.terms().maximumQos())
                != SubscriptionDecision.DENIED) {
            return;
        }
        lost++;
        if (!hasLost) {
            hasLost = true;
            losingClients++;
        }
        if (losses.size() < maximumLosses) {
            losses.add(new Loss(
                    of.clientId().value(),
                    of.identity().userName(),
                    subscription.topicFilter().value()));
        }
    }
}

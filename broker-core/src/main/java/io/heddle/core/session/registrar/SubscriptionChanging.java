package io.heddle.core.session.registrar;

import io.heddle.core.FailureLog;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.registrar.SubscriptionChange.Subscribe;
import io.heddle.core.session.registrar.SubscriptionChange.Unsubscribe;
import io.heddle.core.subscription.Subscription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One {@link SubscriptionChange}. Its filters take effect one after the other; the answer follows when all of them are durable and settled.
 * A filter that the packet repeats is committed once. Owned by the event loop that owns the session.
 *
 * <p>Bound: at most {@value #FILTERS_PER_STEP} filters are changed in one step; a longer change runs in the background of the loop.
 */
final class SubscriptionChanging {
    private static final Logger log = LoggerFactory.getLogger(SubscriptionChanging.class);
    private static final int FILTERS_PER_STEP = 64;

    private final PersistentSession session;
    private final SubscriptionChange change;
    private final RegistrarServices services;
    private final CompletableFuture<ChangeOutcome> answer;
    private final Runnable changed;
    private final List<ReasonCode> reasons;
    private final List<Integer> withRetained = new ArrayList<>(1);
    // The latest request for each filter, by its text.
    private final Map<String, Answered> answered = new HashMap<>(2);
    // By the text of the filter; null for a removed subscription.
    private final Map<String, @Nullable Subscription> committed = new LinkedHashMap<>(2);

    private record Answered(FilterRequest request, ReasonCode reason) {}

    /** @param changed runs once when the changes are in force and their commit is queued */
    SubscriptionChanging(
            PersistentSession session,
            SubscriptionChange change,
            RegistrarServices services,
            CompletableFuture<ChangeOutcome> answer,
            Runnable changed) {
        this.session = session;
        this.change = change;
        this.services = services;
        this.answer = answer;
        this.changed = changed;
        this.reasons = new ArrayList<>(change.count());
    }

    void begin() {
        if (change.count() <= FILTERS_PER_STEP) {
            step();
        } else {
            session.registrarLoop().inBackground(this::step);
        }
    }

    /** Changes the next filters; returns whether some are left. */
    private boolean step() {
        try {
            int end = Math.min(change.count(), reasons.size() + FILTERS_PER_STEP);
            while (reasons.size() < end) {
                reasons.add(change(reasons.size()));
            }
            if (end < change.count()) {
                return true;
            }
        } catch (RuntimeException fault) {
            answer.completeExceptionally(fault);
        }
        try {
            // After a fault, the filters before it are subscribed.
            commit();
        } catch (RuntimeException fault) {
            answer.completeExceptionally(fault);
        }
        changed.run();
        return false;
    }

    private ReasonCode change(int position) {
        return switch (change) {
            case Subscribe subscribe -> subscribe(subscribe, position);
            case Unsubscribe unsubscribe ->
                unsubscribe(unsubscribe.topicFilters().get(position));
        };
    }

    /** A request that repeats the latest one for its filter gets the same answer and changes nothing. */
    private ReasonCode subscribe(Subscribe subscribe, int position) {
        FilterRequest request = subscribe.requests().get(position);
        Answered latest = answered.get(request.filter().value());
        if (latest != null && latest.request().equals(request)) {
            return latest.reason();
        }
        SubscriptionEditor.Result result = services.editor()
                .subscribe(session.subscriber(), session.subscriptions(), request, subscribe.identifier());
        Subscription subscription = result.subscription();
        if (subscription != null) {
            services.editor().connectionChanged(session.subscriber(), subscription);
            committed.put(subscription.topicFilter().value(), subscription);
        }
        if (result.wantsRetained()) {
            withRetained.add(position);
        }
        answered.put(request.filter().value(), new Answered(request, result.reason()));
        return result.reason();
    }

    private ReasonCode unsubscribe(String topicFilter) {
        Subscription removed =
                services.editor().unsubscribe(session.subscriber(), session.subscriptions(), topicFilter);
        if (removed == null) {
            // [MQTT-3.11.3-1]
            return ReasonCode.NO_SUBSCRIPTION_EXISTED;
        }
        committed.put(topicFilter, null);
        return ReasonCode.SUCCESS;
    }

    private void commit() {
        // The client may repeat a request whose commit failed, and then changes nothing in the memory of this node.
        for (String topicFilter : session.takeUncommitted()) {
            committed.putIfAbsent(topicFilter, session.subscriptions().get(topicFilter));
        }
        if (committed.isEmpty()) {
            // The request may repeat one that an earlier holder of the bucket has committed.
            answerWhenFollowed();
            return;
        }
        services.persistent().routes().commit(session, committed).whenComplete((_, failure) -> {
            if (failure == null) {
                answerWhenFollowed();
            } else {
                session.registrarLoop().execute(() -> {
                    session.commitFailed(committed.keySet());
                    answerFailed(failure);
                });
            }
        });
    }

    private void answerWhenFollowed() {
        var _ = services.settlement().whenFollowed(session.bucket()).thenRun(this::answerChanged);
    }

    private void answerChanged() {
        answer.complete(new ChangeOutcome.Changed(reasons, withRetained));
    }

    private void answerFailed(Throwable failure) {
        FailureLog.warn(
                log,
                "Could not commit changed subscriptions to heddle.clients; disconnecting the client: clientId="
                        + session.clientId(),
                failure);
        answer.complete(new ChangeOutcome.Failed("the changed subscriptions could not be committed"));
    }
}

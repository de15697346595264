package io.heddle.core.session.subscribe;

import io.heddle.core.authorization.SubscriptionDecision;
import io.heddle.core.client.BackgroundWork;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.subscription.Subscription;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Removes the subscriptions of one session that the rules of its client deny, because the rules have changed. Owned by the session's event
 * loop. Messages are checked at their delivery meanwhile.
 */
final class RevokedSubscriptions implements BackgroundWork {
    /** The check of one filter takes some microseconds. */
    private static final int CHECKS_PER_STEP = 16;

    private final SessionHandle session;
    private final SubscribeService service;
    private final Iterator<Subscription> unchecked;
    private final List<String> revoked = new ArrayList<>(0);
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    RevokedSubscriptions(SessionHandle session, SubscribeService service) {
        this.session = session;
        this.service = service;
        this.unchecked =
                List.copyOf(session.subscriptions().byFilter().values()).iterator();
    }

    /** Completes when the subscriptions are removed, or the connection has ended. */
    CompletionStage<Void> start() {
        if (step()) {
            session.eventLoop().inBackground(this);
        }
        return done;
    }

    @Override
    public boolean step() {
        if (!session.isConnected()) {
            done.complete(null);
            return false;
        }
        for (int i = 0; i < CHECKS_PER_STEP && unchecked.hasNext(); i++) {
            Subscription next = unchecked.next();
            if (session.rules()
                            .decideSubscription(next.topicFilter(), next.terms().maximumQos())
                    == SubscriptionDecision.DENIED) {
                revoked.add(next.topicFilter().value());
            }
        }
        if (!unchecked.hasNext()) {
            remove();
        }
        return unchecked.hasNext();
    }

    private void remove() {
        PersistentSession persistent = session.persistent();
        if (revoked.isEmpty()) {
            done.complete(null);
        } else if (persistent != null) {
            service.registrar()
                    .change(new SubscriptionChange.Unsubscribe(
                            session.clientId(), persistent.generation(), session.epoch(), revoked))
                    .whenComplete((outcome, fault) -> session.eventLoop().execute(() -> onOutcome(outcome, fault)));
        } else {
            service.remove(session, revoked);
            service.revoked(session, revoked);
            done.complete(null);
        }
    }

    private void onOutcome(@Nullable ChangeOutcome outcome, @Nullable Throwable fault) {
        done.complete(null);
        if (fault instanceof RuntimeException bug) {
            session.onFault(bug);
        } else if (outcome instanceof ChangeOutcome.Changed) {
            for (String each : revoked) {
                session.subscriptions().changed(each);
            }
            service.revoked(session, revoked);
        } else {
            // The next connection of the client checks the subscriptions again.
            session.disconnect(ReasonCode.SERVER_BUSY);
        }
    }
}

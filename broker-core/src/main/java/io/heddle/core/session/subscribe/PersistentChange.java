package io.heddle.core.session.subscribe;

import io.heddle.core.authorization.RuleSet;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.FilterRequest;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.subscription.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One SUBSCRIBE or UNSUBSCRIBE of a persistent session: checks the filters, asks the registrar for the change, and answers the packet.
 * Owned by the session's event loop.
 */
final class PersistentChange {
    private final SessionHandle session;
    private final PersistentSession persistent;
    private final Connection connection;
    private final SubscribeService service;
    private final Runnable completed;

    /** @param completed runs once on the event loop when the packet is answered or the changes have failed, also when a filter is invalid */
    PersistentChange(
            SessionHandle session,
            PersistentSession persistent,
            Connection connection,
            SubscribeService service,
            Runnable completed) {
        this.session = session;
        this.persistent = persistent;
        this.connection = connection;
        this.service = service;
        this.completed = completed;
    }

    /** @throws ProtocolException for an invalid filter; the filters before it are subscribed */
    void subscribe(SubscribePacket packet) {
        List<FilterRequest> valid = new ArrayList<>(packet.requests().size());
        // In the places of refused filters; null for a valid filter.
        List<@Nullable ReasonCode> refused = new ArrayList<>(packet.requests().size());
        ProtocolException violation = null;
        for (SubscriptionRequest request : packet.requests()) {
            try {
                valid.add(service.parse(session, request));
                refused.add(null);
            } catch (ProtocolException invalid) {
                violation = refuse(invalid, refused);
                if (violation != null) {
                    break;
                }
            }
        }
        boolean isInvalid = violation != null;
        RuleSet checked = session.rules().rules();
        boolean wantsRetained = !isInvalid && valid.stream().anyMatch(each -> each.wantsRetained(true));
        if (wantsRetained) {
            session.subscriptions().expectRetained();
        }
        request(
                new SubscriptionChange.Subscribe(
                        session.clientId(),
                        persistent.generation(),
                        session.epoch(),
                        packet.subscriptionIdentifier(),
                        valid),
                outcome -> {
                    if (isInvalid) {
                        completed.run();
                    } else {
                        for (FilterRequest each : valid) {
                            session.subscriptions().changed(each.filter().value());
                        }
                        Runnable answer = () -> answer(packet, refused, outcome);
                        if (session.rules().rules() != checked) {
                            // The rules have changed before the subscriptions were in place.
                            var _ = service.applyRules(session);
                        }
                        if (wantsRetained) {
                            session.subscriptions().deliverRetained(withRetained(valid, outcome), answer);
                        } else {
                            answer.run();
                        }
                    }
                });
        if (violation != null) {
            throw violation;
        }
    }

    /** Adds the reason code of a filter that is not accepted, or returns the violation of the standard. */
    private @Nullable ProtocolException refuse(ProtocolException invalid, List<@Nullable ReasonCode> refused) {
        try {
            refused.add(service.refusalReason(session, invalid));
            return null;
        } catch (ProtocolException violation) {
            return violation;
        }
    }

    private List<Subscription> withRetained(List<FilterRequest> valid, ChangeOutcome.Changed outcome) {
        List<Subscription> subscriptions =
                new ArrayList<>(outcome.withRetained().size());
        for (int each : outcome.withRetained()) {
            Subscription subscription =
                    persistent.subscriptions().get(valid.get(each).filter().value());
            if (subscription != null) {
                subscriptions.add(subscription);
            }
        }
        return subscriptions;
    }

    private void answer(SubscribePacket packet, List<@Nullable ReasonCode> refused, ChangeOutcome.Changed outcome) {
        completed.run();
        if (!session.isConnected()) {
            return;
        }
        List<ReasonCode> reasons = new ArrayList<>(refused.size());
        int position = 0;
        for (ReasonCode reason : refused) {
            reasons.add(reason == null ? outcome.reasons().get(position++) : reason);
        }
        service.answer(connection, packet, reasons);
        session.proceed();
    }

    /** @throws ProtocolException for a filter that violates the standard; the filters before it are unsubscribed */
    void unsubscribe(UnsubscribePacket packet) {
        List<String> valid = new ArrayList<>(packet.topicFilters().size());
        ProtocolException violation = null;
        for (String topicFilter : packet.topicFilters()) {
            try {
                if (!persistent.subscriptions().containsKey(topicFilter)) {
                    SubscribeService.requireValid(topicFilter);
                }
                valid.add(topicFilter);
            } catch (ProtocolException invalid) {
                violation = invalid;
                break;
            }
        }
        boolean isInvalid = violation != null;
        request(
                new SubscriptionChange.Unsubscribe(session.clientId(), persistent.generation(), session.epoch(), valid),
                outcome -> {
                    completed.run();
                    if (!isInvalid) {
                        service.answer(connection, packet, outcome.reasons());
                        for (String topicFilter : valid) {
                            session.subscriptions().changed(topicFilter);
                        }
                    }
                });
        if (violation != null) {
            throw violation;
        }
    }

    /** @param answer answers the packet, and completes it */
    private void request(SubscriptionChange change, Consumer<ChangeOutcome.Changed> answer) {
        if (change.count() == 0) {
            answer.accept(new ChangeOutcome.Changed(List.of(), List.of()));
            return;
        }
        service.registrar()
                .change(change)
                .whenComplete((outcome, fault) -> session.eventLoop().execute(() -> {
                    if (fault instanceof RuntimeException bug) {
                        completed.run();
                        session.onFault(bug);
                    } else if (session.isConnected()) {
                        onOutcome(outcome, answer);
                    } else {
                        completed.run();
                    }
                }));
    }

    private void onOutcome(ChangeOutcome outcome, Consumer<ChangeOutcome.Changed> answer) {
        switch (outcome) {
            case ChangeOutcome.Changed changed -> answer.accept(changed);
            case ChangeOutcome.NotHeld _ -> disconnect(ReasonCode.SESSION_TAKEN_OVER);
            case ChangeOutcome.Failed _ -> disconnect(ReasonCode.UNSPECIFIED_ERROR);
            case ChangeOutcome.Moved _ -> disconnect(ReasonCode.SERVER_BUSY);
        }
    }

    private void disconnect(ReasonCode reason) {
        completed.run();
        session.disconnect(reason);
    }
}

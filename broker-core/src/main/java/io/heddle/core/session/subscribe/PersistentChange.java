package io.heddle.core.session.subscribe;

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

    /** @param completed runs once on the event loop when the changes are durable or have failed, also when a filter is invalid */
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
                valid.add(service.parse(request));
                refused.add(null);
            } catch (ProtocolException invalid) {
                if (invalid.reason() != ReasonCode.TOPIC_FILTER_INVALID) {
                    violation = invalid;
                    break;
                }
                refused.add(invalid.reason());
            }
        }
        boolean isInvalid = violation != null;
        request(
                new SubscriptionChange.Subscribe(
                        session.clientId(),
                        persistent.generation(),
                        session.epoch(),
                        packet.subscriptionIdentifier(),
                        valid),
                outcome -> {
                    if (!isInvalid) {
                        subscribed(packet, valid, refused, outcome);
                    }
                });
        if (violation != null) {
            throw violation;
        }
    }

    private void subscribed(
            SubscribePacket packet,
            List<FilterRequest> valid,
            List<@Nullable ReasonCode> refused,
            ChangeOutcome.Changed outcome) {
        List<ReasonCode> reasons = new ArrayList<>(refused.size());
        int position = 0;
        for (ReasonCode reason : refused) {
            reasons.add(reason == null ? outcome.reasons().get(position++) : reason);
        }
        service.answer(connection, packet, reasons);
        for (FilterRequest request : valid) {
            session.subscriptions().changed(request.filter().value());
        }
        for (int each : outcome.withRetained()) {
            Subscription subscription =
                    persistent.subscriptions().get(valid.get(each).filter().value());
            if (subscription != null) {
                session.subscriptions().deliverRetained(subscription);
            }
        }
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
                    if (!isInvalid) {
                        SubscribeService.answer(connection, packet, outcome.reasons());
                        for (String topicFilter : valid) {
                            session.subscriptions().changed(topicFilter);
                        }
                    }
                });
        if (violation != null) {
            throw violation;
        }
    }

    private void request(SubscriptionChange change, Consumer<ChangeOutcome.Changed> answer) {
        if (change.count() == 0) {
            try {
                answer.accept(new ChangeOutcome.Changed(List.of(), List.of()));
            } finally {
                completed.run();
            }
            return;
        }
        service.registrar()
                .change(change)
                .whenComplete((outcome, fault) -> session.eventLoop().execute(() -> {
                    completed.run();
                    if (fault instanceof RuntimeException bug) {
                        session.onFault(bug);
                    } else if (session.isConnected()) {
                        onOutcome(outcome, answer);
                    }
                }));
    }

    private void onOutcome(ChangeOutcome outcome, Consumer<ChangeOutcome.Changed> answer) {
        switch (outcome) {
            case ChangeOutcome.Changed changed -> answer.accept(changed);
            case ChangeOutcome.NotHeld _ -> session.disconnect(ReasonCode.SESSION_TAKEN_OVER);
            case ChangeOutcome.Failed _ -> session.disconnect(ReasonCode.UNSPECIFIED_ERROR);
            case ChangeOutcome.Moved _ -> session.disconnect(ReasonCode.SERVER_BUSY);
        }
    }
}

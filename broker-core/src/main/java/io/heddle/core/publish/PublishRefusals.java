package io.heddle.core.publish;

import io.heddle.core.Limit;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts and logs the messages that are refused or not retained, and returns the outcomes of refused ones. Thread-safe. */
final class PublishRefusals {
    private static final PublishOutcome NO_ROOM = new PublishOutcome.Refused(ReasonCode.QUOTA_EXCEEDED);
    private static final PublishOutcome NOT_AUTHORIZED = new PublishOutcome.Refused(ReasonCode.NOT_AUTHORIZED);

    private final ClientIncidents incidents;
    private final Counter unauthorized;
    private final Counter overloaded;
    private final Counter outOfMemory;
    private final Counter lagging;
    private final Counter outOfStorage;
    private final Counter unreleased;
    private final Counter notRetainedStorage;
    private final Counter notRetainedOverloaded;

    PublishRefusals(ClientIncidents incidents, MeterRegistry metrics) {
        this.incidents = incidents;
        this.unauthorized = dropped(ReasonCode.NOT_AUTHORIZED.tag(), metrics);
        this.overloaded = dropped("publish_refused_overloaded", metrics);
        this.outOfMemory = dropped("publish_refused_memory_limit", metrics);
        this.lagging = dropped("publish_refused_lagging", metrics);
        this.outOfStorage = dropped("publish_refused_storage", metrics);
        this.unreleased = dropped("publish_refused_maximum_unreleased", metrics);
        this.notRetainedStorage = metrics.counter("heddle.retained.refused", "reason", "storage");
        this.notRetainedOverloaded = metrics.counter("heddle.retained.refused", "reason", "overloaded");
    }

    private static Counter dropped(String reason, MeterRegistry metrics) {
        return metrics.counter("heddle.messages.dropped", "reason", reason);
    }

    /** @param detail one clause for the operator */
    PublishOutcome unauthorized(String topic, String detail, ClientId publisher) {
        unauthorized.increment();
        incidents.publishDenied(topic, detail, publisher);
        return NOT_AUTHORIZED;
    }

    PublishOutcome overloaded(Limit full, ClientId publisher) {
        overloaded.increment();
        incidents.refused(full, "a published message, because messages of all clients fill the limit", publisher);
        return NO_ROOM;
    }

    PublishOutcome lagging(Limit limit, ClientId publisher) {
        return refused(lagging, limit, publisher);
    }

    PublishOutcome outOfStorage(Limit limit, ClientId publisher) {
        return refused(outOfStorage, limit, publisher);
    }

    PublishOutcome outOfMemory(Limit limit, ClientId publisher) {
        return refused(outOfMemory, limit, publisher);
    }

    PublishOutcome unreleased(int maximum, ClientId publisher) {
        return refused(unreleased, new Limit("heddle.session.maximum-unreleased", maximum), publisher);
    }

    private PublishOutcome refused(Counter counter, Limit limit, ClientId publisher) {
        counter.increment();
        incidents.refused(limit, "a published message", publisher);
        return NO_ROOM;
    }

    void notRetainedOutOfStorage(Limit limit, PublishMessage message) {
        notRetainedStorage.increment();
        notRetained(limit, message);
    }

    void notRetainedOverloaded(Limit limit, PublishMessage message) {
        notRetainedOverloaded.increment();
        notRetained(limit, message);
    }

    /** A message is delivered but not retained, which the caller has counted. */
    void notRetained(Limit limit, PublishMessage message) {
        incidents.refused(limit, "a retained message, which is only delivered", message.publisher());
    }
}

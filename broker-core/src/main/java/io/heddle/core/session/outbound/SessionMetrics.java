package io.heddle.core.session.outbound;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.PastMessages;
import io.heddle.core.client.activity.Activity;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.message.tracing.Tracing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The counters of all sessions, and the log of what goes wrong for single clients. Thread-safe. */
public final class SessionMetrics {
    public final DropReason droppedSlowConsumer;
    public final DropReason droppedRateLimited;
    public final DropReason droppedTooLarge;
    public final DropReason droppedDisconnected;
    final DropReason droppedQueueFull;
    final DropReason droppedMemory;
    public final DropReason droppedExpired;
    public final DropReason droppedDenied;
    final DropReason droppedSessionEnded;
    final DropReason droppedByClient;
    public final Counter sharedRedelivered;
    final Counter acknowledgementsUnknown;
    public final Counter takenOver;
    public final Counter refusedOtherUser;
    public final Counter refusedOwner;
    public final Counter keepAliveTimeouts;
    public final Counter willsPublished;
    public final Counter willsRefused;
    public final Counter willsLate;
    public final DropReason droppedFault;
    public final DropReason droppedAppendFailed;
    public final Counter faults;
    public final Counter subscriptionsRefused;
    public final Counter subscriptionsRevoked;
    public final Counter willsDenied;
    public final Counter publishersPaused;
    public final Counter publishesHeld;
    public final Counter publishesHeldTooLong;
    public final Counter retainedOvertaken;

    final PastMessages pastMessages;
    private final DeliveryLatency latency;
    private final Activity activity = new Activity();
    private final ClientIncidents incidents;
    private final Ledger ledger;
    private final @Nullable Tracing tracing;
    private final MeterRegistry registry;

    /**
     * Registers the counters, so that they can be read before the first event.
     *
     * @param tracing null if messages are not traced
     */
    public SessionMetrics(ClientIncidents incidents, Ledger ledger, @Nullable Tracing tracing, MeterRegistry registry) {
        this.incidents = incidents;
        this.pastMessages = incidents.pastMessages();
        this.ledger = ledger;
        this.tracing = tracing;
        this.registry = registry;
        this.latency = new DeliveryLatency(registry);
        this.droppedSlowConsumer = logged(
                "slow_consumer",
                "the client does not read QoS 0 messages fast enough, so that its unsent output has reached"
                        + " heddle.mqtt.burst-limit, or that of all clients heddle.mqtt.unsent-output-limit");
        this.droppedRateLimited = dropped("rate_limited");
        this.droppedTooLarge = logged("packet_too_large", "the message exceeds the Maximum Packet Size of the client");
        this.droppedDisconnected = dropped("disconnected");
        this.droppedQueueFull = dropped("queue_full");
        this.droppedMemory = dropped("memory_limit");
        this.droppedExpired = dropped("expired");
        this.droppedDenied = logged("denied_to_receive", "the rules do not allow the client to receive the message");
        this.droppedSessionEnded = dropped("session_ended");
        this.droppedByClient = logged("refused_by_client", "the client answered PUBACK or PUBREC with an error");
        this.sharedRedelivered = registry.counter("heddle.messages.shared.redelivered");
        this.acknowledgementsUnknown = registry.counter("heddle.acknowledgements.unknown");
        this.takenOver = registry.counter("heddle.sessions.taken.over");
        this.refusedOtherUser = registry.counter("heddle.sessions.refused", "reason", "other_user");
        this.keepAliveTimeouts = registry.counter("heddle.sessions.keep.alive.timeouts");
        this.refusedOwner = registry.counter("heddle.sessions.refused", "reason", "maximum_per_user");
        this.willsRefused = registry.counter("heddle.wills.refused");
        this.willsLate = registry.counter("heddle.wills.late");
        this.droppedFault = dropped("fault");
        this.droppedAppendFailed = dropped("append_failed");
        this.faults = registry.counter("heddle.sessions.faults");
        this.subscriptionsRefused = registry.counter("heddle.subscriptions.refused");
        this.subscriptionsRevoked = registry.counter("heddle.subscriptions.revoked");
        this.willsDenied = registry.counter("heddle.wills.denied");
        this.publishersPaused = registry.counter("heddle.publishers.paused");
        this.publishesHeld = registry.counter("heddle.publishes.held");
        this.publishesHeldTooLong = registry.counter("heddle.publishes.held.timeouts");
        this.retainedOvertaken = registry.counter("heddle.retained.lookups.overtaken");
        this.willsPublished = registry.counter("heddle.wills.published");
    }

    /** The log of other limits, or nothing, tells about these messages. */
    private DropReason dropped(String tag) {
        return new DropReason(tag, null, registry);
    }

    private DropReason logged(String tag, String detail) {
        return new DropReason(tag, detail, registry);
    }

    /** Measures how long messages take. */
    public DeliveryLatency latency() {
        return latency;
    }

    /** Counts the clients and topics with the most messages. */
    public Activity activity() {
        return activity;
    }

    /** Counts the copies of messages. */
    public Ledger ledger() {
        return ledger;
    }

    /** Traces messages; null if that is off. */
    public @Nullable Tracing tracing() {
        return tracing;
    }

    /** Logs why clients are refused or disconnected, or miss messages. */
    public ClientIncidents incidents() {
        return incidents;
    }

    /** Logs that a message was dropped for a client, unless the client has had such a line in the last minute. */
    void log(DropReason reason, ClientId clientId) {
        String detail = reason.detail();
        if (detail != null) {
            incidents.dropped(reason.tag(), detail, clientId);
        }
    }

    public void connectAnswered(String outcome) {
        registry.counter("heddle.connects", "outcome", outcome).increment();
    }

    /** Counts a re-authentication by its outcome. */
    public void reauthenticated(String outcome) {
        registry.counter("heddle.reauthentications", "outcome", outcome).increment();
    }

    /** Registers a gauge. */
    public <T> void gauge(String name, T observed, ToDoubleFunction<T> value) {
        registry.gauge(name, observed, value);
    }
}

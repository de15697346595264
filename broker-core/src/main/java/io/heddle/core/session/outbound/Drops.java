package io.heddle.core.session.outbound;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.PastMessages;
import io.heddle.core.client.PastMessages.SentMessage;
import io.heddle.core.client.ledger.LoopLedger;
import io.heddle.core.delivery.log.OutboundQueue.InFlight;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import org.jspecify.annotations.Nullable;

/** The messages that one connection was not sent: their number and the latest of them. Owned by the event loop of the connection. */
public final class Drops {
    private static final long LOGGED_EVERY_MILLIS = 60_000;
    private static final long REMEMBERED_AGAIN_MILLIS = 1_000;

    private final ClientId clientId;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    private final LoopLedger ledger;
    private long count;
    private @Nullable DropReason reason;
    private long latestMillis;
    private @Nullable DropReason logged;
    private long loggedMillis;
    // Null before the first message.
    private PastMessages.@Nullable OfClient recent;
    private long rememberedMillis;

    Drops(ClientId clientId, SteadyClock clock, SessionMetrics metrics, LoopLedger ledger) {
        this.clientId = clientId;
        this.clock = clock;
        this.metrics = metrics;
        this.ledger = ledger;
    }

    /**
     * Counts and remembers a message, and logs it if it is the first one of its reason, and then one a minute.
     *
     * @param qos of the delivery
     */
    void add(DropReason because, QoS qos, PublishMessage message) {
        DeliverySpans.dropped(metrics.tracing(), clientId, qos, message, because);
        count(because, qos, message);
    }

    private void count(DropReason because, QoS qos, PublishMessage message) {
        add(because, message.topic().value(), qos, message.payload().length());
    }

    /**
     * Counts a message in flight, of which the queue knows only the QoS if it is a stored one.
     *
     * @param sent the message, if its delivery is remembered
     */
    void add(DropReason because, InFlight message, @Nullable SentMessage sent) {
        if (message instanceof HeldMessage held) {
            count(because, held.qos(), held.message());
        } else if (sent != null) {
            add(because, sent.topic(), sent.qos(), sent.payloadBytes());
        } else {
            add(because, null, message.qos(), PastMessages.UNKNOWN_BYTES);
        }
    }

    private void add(DropReason because, @Nullable String topic, QoS qos, int payloadBytes) {
        because.increment();
        ledger.dropped();
        count++;
        reason = because;
        latestMillis = clock.millis();
        recent().add(latestMillis, because.tag(), topic, qos, payloadBytes);
        // The log takes a lock, and a slow client may miss a million messages a second.
        if (because != logged || latestMillis - loggedMillis >= LOGGED_EVERY_MILLIS) {
            logged = because;
            loggedMillis = latestMillis;
            metrics.log(because, clientId);
        }
    }

    /** Many clients that miss messages displace each other, each once in a while. */
    private PastMessages.OfClient recent() {
        PastMessages.OfClient present = recent;
        if (present == null || (present.isForgotten() && latestMillis - rememberedMillis >= REMEMBERED_AGAIN_MILLIS)) {
            present = metrics.incidents().pastMessages().of(clientId, latestMillis);
            recent = present;
            rememberedMillis = latestMillis;
        }
        return present;
    }

    public long count() {
        return count;
    }

    /** Returns the reason of the latest one, as in {@code heddle.messages.dropped}; null if there is none. */
    public @Nullable String reason() {
        DropReason latest = reason;
        return latest == null ? null : latest.tag();
    }

    /** Returns the time of the latest one in milliseconds since 1970, or 0. */
    public long latestMillis() {
        return latestMillis;
    }
}

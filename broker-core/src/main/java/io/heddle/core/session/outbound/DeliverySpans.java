package io.heddle.core.session.outbound;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.OutboundQueue.Message;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.tracing.MessageSpan;
import io.heddle.core.message.tracing.Tracing;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spans of the QoS 1 and 2 messages that a client was sent over one connection, until they are acknowledged. Owned by the event loop of the
 * connection. Bound: the spans that {@link Tracing} keeps open on the node; further ones end when their message is sent.
 */
@HotPath
public final class DeliverySpans {
    private static final DeliverySpans OFF = new DeliverySpans(null);

    private final @Nullable Tracing tracing;
    // By sequence number. Null while there are none.
    private @Nullable Map<Long, MessageSpan> open;

    private DeliverySpans(@Nullable Tracing tracing) {
        this.tracing = tracing;
    }

    /** Those of a connection. */
    static DeliverySpans of(@Nullable Tracing tracing) {
        return tracing == null ? OFF : new DeliverySpans(tracing);
    }

    /** A QoS 0 message was handed to a connection. */
    public static void sentAtMostOnce(@Nullable Tracing tracing, ClientId recipient, PublishMessage message) {
        MessageSpan span = tracing == null ? null : begin(tracing, recipient, QoS.AT_MOST_ONCE, message);
        if (span != null) {
            span.event("sent");
            span.end();
        }
    }

    /** A message for a client was dropped before it was sent. */
    static void dropped(
            @Nullable Tracing tracing, ClientId recipient, QoS qos, PublishMessage message, DropReason reason) {
        MessageSpan span = tracing == null ? null : begin(tracing, recipient, qos, message);
        if (span != null) {
            span.fail(reason.tag());
        }
    }

    private static @Nullable MessageSpan begin(Tracing tracing, ClientId recipient, QoS qos, PublishMessage message) {
        return tracing.deliver(
                message.trace(tracing),
                recipient,
                message.topic(),
                qos,
                message.payload().length());
    }

    void sent(long sequence, ClientId recipient, Message copy) {
        Tracing sampling = tracing;
        MessageSpan span = sampling == null ? null : begin(sampling, recipient, copy.qos(), copy.message());
        if (sampling == null || span == null) {
            return;
        }
        span.event(copy.duplicate() ? "sent again" : "sent");
        if (!sampling.tryKeepOpen()) {
            span.end();
            return;
        }
        Map<Long, MessageSpan> spans = open;
        if (spans == null) {
            spans = new HashMap<>();
            open = spans;
        }
        spans.put(sequence, span);
    }

    /** PUBACK or PUBREC has come. */
    void answered(long sequence, QoS qos, ReasonCode answer) {
        Map<Long, MessageSpan> spans = open;
        if (spans == null) {
            return;
        }
        if (qos == QoS.AT_LEAST_ONCE || answer.isError()) {
            finish(sequence, answer.isError() ? answer.tag() : null);
            return;
        }
        MessageSpan span = spans.get(sequence);
        if (span != null) {
            span.event("received");
        }
    }

    /** PUBCOMP has come. */
    void completed(long sequence) {
        finish(sequence, null);
    }

    private void finish(long sequence, @Nullable String failure) {
        Map<Long, MessageSpan> spans = open;
        MessageSpan span = spans == null ? null : spans.remove(sequence);
        if (spans == null || span == null) {
            return;
        }
        if (spans.isEmpty()) {
            open = null;
        }
        close(span, failure);
    }

    private void close(MessageSpan span, @Nullable String failure) {
        if (tracing != null) {
            tracing.closed();
        }
        if (failure == null) {
            span.event("acknowledged");
            span.end();
        } else {
            span.fail(failure);
        }
    }

    /** The connection is lost: a persistent session sends its messages again. */
    void end() {
        Map<Long, MessageSpan> spans = open;
        open = null;
        if (spans != null) {
            spans.values().forEach(span -> close(span, "connection_lost"));
        }
    }
}

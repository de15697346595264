package io.heddle.core.message.tracing;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The trace of a message in the memory of this node. Thread-safe. */
public final class MessageTrace {
    /** That of messages that are not traced. */
    public static final MessageTrace NONE = new MessageTrace(new TraceContext("", null, false), null, false);

    private final TraceContext context;
    private final boolean isBegunHere;
    private final AtomicInteger copies = new AtomicInteger();
    // Null if it has ended, or the PUBLISH has not arrived here: a message may be held for long, its span must not.
    private volatile @Nullable MessageSpan publishing;

    private MessageTrace(TraceContext context, @Nullable MessageSpan publishing, boolean isBegunHere) {
        this.context = context;
        this.publishing = publishing;
        this.isBegunHere = isBegunHere;
    }

    /** That of a message that has come from a log, a queue or another node. */
    static MessageTrace continued(TraceContext context) {
        return new MessageTrace(context, null, false);
    }

    /**
     * That of a message that a client publishes.
     *
     * @param sent what the publisher has sent; null if the broker begins the trace
     */
    static MessageTrace published(@Nullable TraceContext sent, MessageSpan publishing) {
        return new MessageTrace(sent == null ? publishing.context() : sent, publishing, sent == null);
    }

    boolean isTraced() {
        return context.isSampled();
    }

    /** Returns the user property to add to a message whose trace this node begins; null for other messages. */
    public @Nullable String addedTraceparent() {
        return isBegunHere ? context.traceparent() : null;
    }

    /** Returns the place in the trace that all nodes know, from the user properties. */
    TraceContext context() {
        return context;
    }

    /** Returns the cause of what the publisher's node does with the message before it is acknowledged. */
    TraceContext cause() {
        MessageSpan span = publishing;
        return span == null ? context : span.context();
    }

    /** Returns whether a further copy may have a span. */
    boolean tryAddCopy(int maximum) {
        return copies.get() < maximum && copies.getAndIncrement() < maximum;
    }

    /**
     * The message is acknowledged; at QoS 0, it is routed. Calls after the first have no effect.
     *
     * @param failure see {@link MessageSpan#fail}; null if there is none
     */
    public void publishEnded(@Nullable String failure) {
        MessageSpan span = publishing;
        if (span == null) {
            return;
        }
        publishing = null;
        if (failure == null) {
            span.end();
        } else {
            span.fail(failure);
        }
    }
}

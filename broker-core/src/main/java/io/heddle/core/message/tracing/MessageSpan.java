package io.heddle.core.message.tracing;

/** A step of a traced message that has begun. Thread-safe; never blocks. Calls after the first end have no effect. */
public interface MessageSpan {
    /** Returns the place of the step in the trace, for the steps that it causes. */
    TraceContext context();

    /** Something has happened now. */
    void event(String name);

    /** The step has ended. */
    void end();

    /**
     * The step has ended, and the message, or the copy, is refused or lost.
     *
     * @param reason the tag of a reason code or of {@code heddle.messages.dropped}, or another word without text of clients
     */
    void fail(String reason);
}

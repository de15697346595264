package io.heddle.core.session;

/**
 * Where the QoS 1 and 2 messages for a client come from, one after the other, by rising number. Belongs to the connection's event
 * loop.
 */
sealed interface OutboundSource permits WaitingMessages, FedMessages {
    /** No number below this one comes. */
    long first();

    /** About how many messages there are that were not taken. */
    long waiting();

    /** Whether there is no message now. */
    boolean isEmpty();

    /** Whether what was taken and is not acknowledged leaves room for the first message. Only when there is one. */
    boolean mayBeTaken();

    /** The number of the first message. Only when there is one, as all that asks about it. */
    long sequence();

    /** The first message. */
    Outgoing message();

    /** Whether it may have been sent before, over another connection. */
    boolean isDuplicate();

    /** Whether PUBREC has come for it already, over another connection. */
    boolean isReceived();

    /**
     * Takes the first message out.
     *
     * @return what stands for it until it is acknowledged
     */
    InFlight take();

    /** What was taken is not needed any more. */
    void letGo(InFlight message);

    /** This number is done with, for good; lower ones may not be. */
    void acknowledged(long sequence);

    /** All numbers below this one are done with. */
    void acknowledgedBelow(long lowest);

    /** PUBREC has come for a message that was taken. Runs a task when that is remembered: now, or later on the event loop. */
    void received(long sequence, InFlight message, Runnable remembered);
}

package io.heddle.core.delivery.log;

import io.heddle.core.Port;
import java.util.List;

/**
 * Where messages are written that must survive. Thread-safe; never blocks: what has no room is refused by {@link #accepts}
 * before. What one thread appends to one destination stays in its order, within {@link #append} and within {@link #commit}.
 */
@Port
public interface MessageLog {
    /**
     * Whether there is room for another append of this size, in bytes. Asked before; what is appended in spite of it waits too,
     * until as much again waits: then it fails, so that an outage takes no more memory.
     */
    boolean accepts(long bytes);

    /**
     * Appends each of these.
     *
     * @param appends at least one
     * @param outcome is told once: when all of them outlive the loss of any one server, or one can never be appended
     */
    void append(List<LogAppend> appends, Outcome outcome);

    /**
     * Appends these all together or not at all: nobody reads one before all are there. Other commits may go with it. One that
     * fails breaks its order, and fails when its order is broken.
     *
     * @param appends at least one
     * @param order of the publisher
     * @param outcome is told once
     */
    void commit(List<LogAppend> appends, OrderFence order, Outcome outcome);

    /** Hears what came of an append, on a thread of the log, which must not be held up. */
    interface Outcome {
        /** It is durable. */
        void appended();

        /** It can never be appended, or nobody knows whether it was. */
        void failed(Throwable reason);
    }
}

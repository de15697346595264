package io.heddle.persistence.kafka.append;

import java.util.concurrent.CancellationException;

/** Receives the outcome of an append, once, on any thread. Must not block. */
interface AppendListener {
    /** The record is durable at this offset of its partition. */
    void onAppended(long offset);

    /** The record is not needed any more; whether Kafka appended it is unknown. Only for records that can be abandoned. */
    default void onAbandoned() {
        onFailed(new CancellationException("the record is not needed any more"));
    }

    /** The record was permanently rejected, or it is unknown whether Kafka appended it. */
    void onFailed(Throwable reason);
}

package io.heddle.persistence.kafka.append;

/** Receives the outcome of an append, once, on any thread. Must not block. */
interface AppendListener {
    /** The record is durable at this offset of its partition. */
    void onAppended(long offset);

    /** The record was permanently rejected, or it is unknown whether Kafka appended it. */
    void onFailed(Throwable reason);
}

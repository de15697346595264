package io.heddle.persistence.kafka.append;

/** Hears what came of a record, once, on any thread, which must not be held up. */
interface AppendListener {
    /** It is durable, at this offset of its partition. */
    void appended(long offset);

    /** It can never be appended, or nobody knows whether it was. */
    void failed(Throwable reason);
}

package io.heddle.persistence.kafka.append;

import io.heddle.core.delivery.log.LogAppend.ToApplication;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Encodes messages for the logs of APPLICATION clients and counts their appends, so that no topic is deleted while one is pending. */
public interface ApplicationAppends {
    /** Encodes a message as a record of its client's topic, which another node may have created. */
    ProducerRecord<byte[], byte[]> record(ToApplication append);

    /** Returns the producer for appends outside transactions. */
    LogProducer producer();

    /** An append starts; the topic must not be deleted before {@link #onFinished}. */
    void onStarted(ToApplication append);

    /** An append has its answer. */
    void onFinished(ToApplication append, boolean appended);
}

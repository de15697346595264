package io.heddle.persistence.kafka.append;

import io.heddle.core.delivery.log.LogAppend.ToApplication;
import org.apache.kafka.clients.producer.ProducerRecord;

/** How messages come into the logs of APPLICATION clients: which record one becomes, and through which producer it goes. */
public interface ApplicationAppends {
    /**
     * The record of a message.
     *
     * @throws IllegalArgumentException when there is no log of this client
     */
    ProducerRecord<byte[], byte[]> record(ToApplication append);

    /** What those go through that need no transaction. */
    LogProducer producer();

    /** A record is on its way: its log must not be deleted before {@link #ended}. */
    void began(ToApplication append);

    /** It is durable, or not on its way any more. */
    void ended(ToApplication append, boolean appended);
}

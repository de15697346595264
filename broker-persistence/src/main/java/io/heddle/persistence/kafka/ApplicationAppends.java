package io.heddle.persistence.kafka;

import io.heddle.core.delivery.log.LogAppend.ToApplication;
import org.apache.kafka.clients.producer.ProducerRecord;

/** How messages come into the logs of APPLICATION clients: which record one becomes, and through which producer it goes. */
interface ApplicationAppends {
    /**
     * The record of a message.
     *
     * @throws IllegalArgumentException when there is no log of this client and generation
     */
    ProducerRecord<byte[], byte[]> record(ToApplication append);

    /** What those go through that need no transaction. */
    LogProducer producer();
}

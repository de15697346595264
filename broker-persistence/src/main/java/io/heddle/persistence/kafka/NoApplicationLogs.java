package io.heddle.persistence.kafka;

import io.heddle.core.delivery.log.LogAppend.ToApplication;
import org.apache.kafka.clients.producer.ProducerRecord;

/** For a node that keeps no logs of APPLICATION clients: there is none to append to. */
final class NoApplicationLogs implements ApplicationAppends {
    private final LogProducer producer;

    NoApplicationLogs(LogProducer producer) {
        this.producer = producer;
    }

    @Override
    public ProducerRecord<byte[], byte[]> record(ToApplication append) {
        throw new IllegalArgumentException("there is no log of client " + append.clientId());
    }

    @Override
    public LogProducer producer() {
        return producer;
    }
}

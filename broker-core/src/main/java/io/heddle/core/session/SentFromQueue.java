package io.heddle.core.session;

import io.heddle.core.mqtt.QoS;

/** Stands for a message that its queue or log keeps until it is acknowledged: here nothing of it is held. */
enum SentFromQueue implements InFlight {
    AT_LEAST_ONCE(QoS.AT_LEAST_ONCE),
    EXACTLY_ONCE(QoS.EXACTLY_ONCE);

    private final QoS qos;

    SentFromQueue(QoS qos) {
        this.qos = qos;
    }

    static SentFromQueue at(QoS qos) {
        return qos == QoS.EXACTLY_ONCE ? EXACTLY_ONCE : AT_LEAST_ONCE;
    }

    @Override
    public QoS qos() {
        return qos;
    }
}

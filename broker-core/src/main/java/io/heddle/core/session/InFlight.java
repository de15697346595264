package io.heddle.core.session;

import io.heddle.core.mqtt.QoS;

/** A message that a client was sent and has not acknowledged. */
interface InFlight {
    /** That of the delivery, 1 or 2. */
    QoS qos();
}

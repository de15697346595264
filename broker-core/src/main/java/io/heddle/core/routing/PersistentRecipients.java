package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.subscription.PersistentSubscriber;

/** The recipients of one message with persistent sessions. */
@HotPath
public final class PersistentRecipients extends Recipients<PersistentSubscriber> {
    PersistentRecipients() {}

    /** The QoS of the delivery to a recipient. */
    public QoS qos(int i, QoS published) {
        return published.min(terms(i).maximumQos());
    }
}

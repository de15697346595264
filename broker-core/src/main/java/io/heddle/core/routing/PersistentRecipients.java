package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.subscription.PersistentSubscriber;

/** The recipients of one message whose sessions outlive their connections. */
@HotPath
public final class PersistentRecipients extends Recipients<PersistentSubscriber> {
    PersistentRecipients() {}

    /** At which QoS a recipient gets a message of this QoS. */
    public QoS qos(int i, QoS published) {
        return published.min(terms(i).maximumQos());
    }
}

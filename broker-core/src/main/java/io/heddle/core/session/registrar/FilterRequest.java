package io.heddle.core.session.registrar;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicFilter;

/**
 * One valid Topic Filter of a SUBSCRIBE with its options.
 *
 * @param maximumQos the highest QoS that the client requests
 */
public record FilterRequest(
        TopicFilter filter, QoS maximumQos, boolean noLocal, boolean retainAsPublished, RetainHandling retainHandling) {
    /** [MQTT-3.3.1-9] [MQTT-3.3.1-10] [MQTT-3.3.1-11] */
    public boolean wantsRetained(boolean isNew) {
        // A shared subscription gets no retained messages (MQTT 5.0, section 4.8.2).
        return !filter.isShared()
                && switch (retainHandling) {
                    case SEND -> true;
                    case SEND_IF_NEW -> isNew;
                    case DO_NOT_SEND -> false;
                };
    }
}

package io.heddle.core.session.outbound;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.publish.PublishService;

/**
 * Redelivers the messages of an ended session to other members of its shared subscriptions. A QoS 1 message that the client has not
 * acknowledged should reach another member; a QoS 2 message must not, because it could arrive twice [MQTT-4.8.2-5]. Stateless. Bound:
 * each ended session tries each of its messages once, and holds at most {@link QueueLimits} and its window.
 */
public final class SharedRedelivery {
    private final PublishService publishService;
    private final SessionMetrics metrics;

    public SharedRedelivery(PublishService publishService, SessionMetrics metrics) {
        this.publishService = publishService;
        this.metrics = metrics;
    }

    /** Returns whether another member has taken over a message that the caller has released; else the caller counts it as dropped. */
    boolean takeOver(HeldMessage message) {
        TopicFilter filter = message.terms().sharedFilter();
        boolean takenOver = filter != null
                && message.qos() == QoS.AT_LEAST_ONCE
                && publishService.redispatch(message.message(), filter);
        if (takenOver) {
            metrics.sharedRedelivered.increment();
        }
        return takenOver;
    }
}

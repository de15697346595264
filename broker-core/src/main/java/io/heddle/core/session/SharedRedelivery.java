package io.heddle.core.session;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.publish.PublishService;
import io.heddle.core.subscription.DeliveryTerms;

/**
 * Gives other members of a shared subscription what a session that has ended was to deliver: at QoS 1 a message that its client
 * has not acknowledged should reach another; at QoS 2 it must not, because it could arrive twice [MQTT-4.8.2-5]. Stateless. Bound:
 * each message is tried once for each session that ends with it, and a session holds no more than {@link QueueLimits} and its
 * window.
 */
final class SharedRedelivery {
    private final PublishService publishService;
    private final SessionMetrics metrics;

    SharedRedelivery(SessionServices services) {
        this.publishService = services.publishService();
        this.metrics = services.metrics();
    }

    /** Whether another member has taken over a message, which the caller has let go; otherwise the caller counts it as dropped. */
    boolean takeOver(Outgoing message) {
        return takeOver(message.message(), message.qos(), message.terms());
    }

    /** The same. */
    boolean takeOver(PublishMessage message, QoS qos, DeliveryTerms terms) {
        TopicFilter filter = terms.sharedFilter();
        boolean takenOver = filter != null && qos == QoS.AT_LEAST_ONCE && publishService.redispatch(message, filter);
        if (takenOver) {
            metrics.sharedRedelivered.increment();
        }
        return takenOver;
    }
}

package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.activity.LoopActivity;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;

/**
 * Turns the PUBLISH packets of a connection into messages, and counts them. Of each {@value #MEASURED_SHARE} messages, the first one is measured
 * until its delivery, because a reading of the clock for each message would cost more than the routing of a small one. Owned by the connection's
 * event loop.
 */
@HotPath
final class ReceivedMessages {
    /** A prime, so that it is not in step with a publisher of several topics in turn. */
    static final int MEASURED_SHARE = 17;

    private final ClientId publisher;
    private final SteadyClock clock;
    private final LoopActivity activity;
    private int unmeasured;

    ReceivedMessages(ClientId publisher, EventLoop eventLoop, InboundServices services) {
        this.publisher = publisher;
        this.clock = services.clock();
        this.activity = services.metrics().activity().of(eventLoop);
    }

    /** The message of a packet that has just arrived. */
    PublishMessage message(PublishPacket packet, TopicName topic) {
        activity.published(publisher, topic, packet.payload().length());
        PublishMessage message = PublishMessage.receivedAt(
                clock, publisher, topic, packet.qos(), packet.retain(), packet.properties(), packet.payload());
        if (unmeasured > 0) {
            unmeasured--;
            return message;
        }
        unmeasured = MEASURED_SHARE - 1;
        return message.arrivedAt(clock.micros());
    }
}

package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.activity.LoopActivity;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.message.tracing.MessageTrace;
import io.heddle.core.message.tracing.TraceContext;
import io.heddle.core.message.tracing.Tracing;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.PublishPacket;
import org.jspecify.annotations.Nullable;

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
    private final @Nullable Tracing tracing;
    private int unmeasured;

    ReceivedMessages(ClientId publisher, EventLoop eventLoop, InboundServices services) {
        this.publisher = publisher;
        this.clock = services.clock();
        this.activity = services.metrics().activity().of(eventLoop);
        this.tracing = services.metrics().tracing();
    }

    /** The message of a packet that has just arrived. */
    PublishMessage message(PublishPacket packet, TopicName topic) {
        activity.published(publisher, topic, packet.payload().length());
        PublishMessage message = tracing == null
                ? message(packet, topic, packet.properties())
                : traced(packet, topic, packet.properties(), tracing);
        if (unmeasured > 0) {
            unmeasured--;
            return message;
        }
        unmeasured = MEASURED_SHARE - 1;
        return message.arrivedAt(clock.micros());
    }

    private PublishMessage message(PublishPacket packet, TopicName topic, PublishProperties properties) {
        return PublishMessage.receivedAt(
                clock, publisher, topic, packet.qos(), packet.retain(), properties, packet.payload());
    }

    /** The publisher's user properties stay as they are [MQTT-3.3.2-17]; the traceparent of a trace that begins here is added after them. */
    private PublishMessage traced(
            PublishPacket packet, TopicName topic, PublishProperties properties, Tracing sampling) {
        MessageTrace trace = sampling.arrived(
                properties.userProperties(),
                publisher,
                topic,
                packet.qos(),
                packet.payload().length());
        String traceparent = trace.addedTraceparent();
        PublishMessage message = message(
                packet,
                topic,
                traceparent == null
                        ? properties
                        : properties.withUserProperty(new UserProperty(TraceContext.TRACEPARENT, traceparent)));
        message.traced(trace);
        return message;
    }
}

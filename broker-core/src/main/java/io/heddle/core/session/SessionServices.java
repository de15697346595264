package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.publish.PublishService;
import io.heddle.core.quota.MemoryBudget;

/** What every session of a node works with. Thread-safe, each of them. */
public record SessionServices(
        SubscribeService subscribeService,
        PublishService publishService,
        MemoryBudget memory,
        SteadyClock clock,
        SessionSettings settings,
        SessionMetrics metrics) {

    /** Publishes the will of a client that is gone. */
    void publishWill(ClientId clientId, WillMessage will) {
        metrics.willsPublished.increment();
        publishService.publish(PublishMessage.receivedAt(
                clock, clientId, will.topic(), will.qos(), will.retain(), will.properties(), will.payload()));
    }
}

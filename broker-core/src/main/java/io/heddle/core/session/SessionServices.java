package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.publish.PublishService;
import io.heddle.core.quota.MemoryBudget;

/** What every session of a node works with. Thread-safe, each of them. */
public record SessionServices(
        SubscribeService subscribeService,
        PublishService publishService,
        MessageLog log,
        PersistentSessions persistent,
        SessionFeeds feeds,
        MemoryBudget memory,
        SteadyClock clock,
        SessionSettings settings,
        SessionMetrics metrics) {

    /** Publishes the will of a client that is gone, and gives back what it held. */
    void publishWill(ClientId clientId, WillMessage will) {
        memory.giveBack(will.heldBytes());
        metrics.willsPublished.increment();
        publishService.publish(
                PublishMessage.receivedAt(
                        clock, clientId, will.topic(), will.qos(), will.retain(), will.properties(), will.payload()),
                null);
    }
}

package io.heddle.core.client.activity;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.TopicName;

/** The messages in one direction at one event loop, which owns this. */
@HotPath
final class Traffic {
    private static final int TOPIC_CHARACTERS = 256;

    private final EventLoop loop;
    private final Sampler sampler;
    final RecentSums clientMessages;
    final RecentSums clientBytes;
    final RecentSums topicMessages;
    final RecentSums topicBytes;

    Traffic(EventLoop loop, long seed, long startNanos) {
        this.loop = loop;
        this.sampler = new Sampler(loop, seed);
        this.clientMessages = new RecentSums(startNanos);
        this.clientBytes = new RecentSums(startNanos);
        this.topicMessages = new RecentSums(startNanos);
        this.topicBytes = new RecentSums(startNanos);
    }

    void add(ClientId clientId, TopicName topic, int payloadBytes) {
        int stands = sampler.next();
        if (stands > 0) {
            add(clientId.value(), topic.value(), stands, payloadBytes);
        }
    }

    private void add(String clientId, String topic, long messages, int payloadBytes) {
        long nanos = loop.nanoTime();
        // The memory is bounded, too, if a client publishes to many long topics.
        String counted = topic.length() <= TOPIC_CHARACTERS ? topic : topic.substring(0, TOPIC_CHARACTERS);
        clientMessages.add(clientId, messages, nanos);
        clientBytes.add(clientId, messages * payloadBytes, nanos);
        topicMessages.add(counted, messages, nanos);
        topicBytes.add(counted, messages * payloadBytes, nanos);
    }
}

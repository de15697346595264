package io.heddle.core.client.activity;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.TopicName;

/** The messages in one direction at one event loop, which owns this. */
@HotPath
final class Traffic {
    private static final int CHARACTERS = 256;

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
        String client = counted(clientId);
        String counted = counted(topic);
        clientMessages.add(client, messages, nanos);
        clientBytes.add(client, messages * payloadBytes, nanos);
        topicMessages.add(counted, messages, nanos);
        topicBytes.add(counted, messages * payloadBytes, nanos);
    }

    /** The memory is bounded, too, if client ids and topics are long. */
    static String counted(String key) {
        return key.length() <= CHARACTERS ? key : key.substring(0, CHARACTERS);
    }
}

package io.heddle.core.sys;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The current values of the broker's topics as messages of QoS 0 with RETAIN, and the clients that may read them. One thread replaces the
 * values; any thread reads them. Bound: the topics of this node, and a few for each member of the cluster.
 */
public final class SysTopics {
    /** The first level of the topics. */
    public static final String ROOT = "$SYS";

    /** Clients that subscribe with No Local compare their ids with this one. */
    private static final ClientId BROKER = new ClientId(ROOT);

    private final SysReaders readers;
    private final SteadyClock clock;
    private volatile List<PublishMessage> current = List.of();
    // By topic. Of the thread that replaces the values.
    private Map<String, PublishMessage> byTopic = Map.of();

    /** No values yet. */
    public SysTopics(SysReaders readers, SteadyClock clock) {
        this.readers = readers;
        this.clock = clock;
    }

    /** Returns whether a filter, or that of a shared subscription, names topics of the broker. */
    public static boolean isNamedBy(TopicFilter filter) {
        return filter.level(0).equals(ROOT);
    }

    /** Returns whether a client may read the topics. Any thread. */
    public boolean isReadableBy(ClientIdentity identity, SocketAddress address) {
        return readers.include(identity, address);
    }

    /** Returns whether any client may read the topics. */
    boolean hasReaders() {
        return readers != SysReaders.NOBODY;
    }

    /**
     * Replaces all values. Called by one thread at a time.
     *
     * @param values by topic
     * @return the messages that tell the changes; without a payload for topics that have no value any more
     */
    List<PublishMessage> replace(Map<String, String> values) {
        Map<String, PublishMessage> next = HashMap.newHashMap(values.size());
        List<PublishMessage> all = new ArrayList<>(values.size());
        List<PublishMessage> changed = new ArrayList<>();
        for (Map.Entry<String, String> value : values.entrySet()) {
            BinaryData payload = BinaryData.wrap(value.getValue().getBytes(StandardCharsets.UTF_8));
            PublishMessage message = byTopic.get(value.getKey());
            if (message == null || !message.payload().equals(payload)) {
                message = message(value.getKey(), payload);
                changed.add(message);
            }
            next.put(value.getKey(), message);
            all.add(message);
        }
        for (String topic : byTopic.keySet()) {
            if (!next.containsKey(topic)) {
                changed.add(message(topic, BinaryData.EMPTY));
            }
        }
        byTopic = next;
        current = all;
        return changed;
    }

    private PublishMessage message(String topic, BinaryData payload) {
        return PublishMessage.receivedAt(
                clock,
                BROKER,
                TopicName.parse(topic, Integer.MAX_VALUE),
                QoS.AT_MOST_ONCE,
                true,
                PublishProperties.NONE,
                payload);
    }

    /** Returns the values that a new subscription gets. Any thread. */
    public List<PublishMessage> matching(TopicFilter filter) {
        // Filters that begin with a wildcard do not match [MQTT-4.7.2-1].
        if (!isNamedBy(filter)) {
            return List.of();
        }
        List<PublishMessage> matching = new ArrayList<>();
        for (PublishMessage each : current) {
            if (filter.matches(each.topic())) {
                matching.add(each);
            }
        }
        return matching;
    }
}

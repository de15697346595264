package io.heddle.app.e2e.faults;

import io.heddle.app.e2e.RawPublish;
import io.heddle.app.e2e.faults.SessionLog.Subscription;
import io.netty.channel.Channel;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttSubAckMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The subscriptions and incoming messages of one client. Confined to the clients' event loop. */
final class Receiving {
    /** Above those of {@link Publishing}. */
    private static final int FIRST_PACKET_ID = 60_001;

    private static final int PACKET_IDS = 5_000;
    private static final int FIRST_ERROR = 0x80;
    private static final int QOS = 2;

    private final Ledger ledger;
    private final String clientId;
    private final boolean persistent;
    private final Service service;
    // The filters that the client wants, with the subscription that it has.
    private final Map<String, @Nullable Subscription> wanted = new LinkedHashMap<>();
    private final Set<String> unwanted = new LinkedHashSet<>();
    private final Map<Integer, Subscription> unansweredSubscribes = new HashMap<>();
    private final Map<Integer, String> unansweredUnsubscribes = new HashMap<>();
    private final Set<Integer> unreleased = new HashSet<>();
    private @Nullable SessionLog session;
    // The filter from which the client unsubscribes when it has another one.
    private @Nullable String leaving;
    private int packets;

    Receiving(Ledger ledger, String clientId, boolean persistent, List<String> filters, Service service) {
        this.ledger = ledger;
        this.clientId = clientId;
        this.persistent = persistent;
        this.service = service;
        filters.forEach(filter -> wanted.put(filter, null));
    }

    private SessionLog session() {
        SessionLog existing = session;
        if (existing == null) {
            existing = ledger.begin(clientId, persistent);
            session = existing;
        }
        return existing;
    }

    /** Begins or resumes the session on a new connection. */
    void connected(boolean sessionPresent, Channel channel) {
        if (persistent && session != null && !sessionPresent) {
            ledger.report("the session of " + clientId + " was lost");
        }
        SessionLog resumed = session();
        resumed.reconnected();
        unansweredSubscribes.values().forEach(resumed::end);
        unansweredSubscribes.clear();
        unansweredUnsubscribes.clear();
        unwanted.forEach(filter -> sendUnsubscribe(filter, channel));
        for (Map.Entry<String, @Nullable Subscription> each : wanted.entrySet()) {
            Subscription existing = each.getValue();
            if (existing == null || !existing.isAcknowledged()) {
                each.setValue(sendSubscribe(each.getKey(), channel));
            }
        }
    }

    /** The connection of a session without expiry was lost. */
    void sessionEnded() {
        SessionLog ended = session;
        if (ended != null) {
            ledger.end(ended);
        }
        session = null;
        wanted.replaceAll((_, _) -> null);
        unwanted.clear();
        unansweredSubscribes.clear();
        unansweredUnsubscribes.clear();
        unreleased.clear();
    }

    /** Subscribes to another filter; unsubscribes from the present one when SUBACK arrives. Does nothing while an answer is awaited. */
    void moveTo(String filter, Channel channel) {
        if (!unansweredSubscribes.isEmpty()
                || !unwanted.isEmpty()
                || wanted.size() != 1
                || wanted.containsKey(filter)) {
            return;
        }
        leaving = wanted.keySet().iterator().next();
        wanted.put(filter, sendSubscribe(filter, channel));
    }

    private int nextPacketId() {
        packets++;
        return FIRST_PACKET_ID + packets % PACKET_IDS;
    }

    private Subscription sendSubscribe(String filter, Channel channel) {
        int packetId = nextPacketId();
        Subscription subscription = session().subscribe(filter, QOS);
        unansweredSubscribes.put(packetId, subscription);
        var _ = channel.writeAndFlush(
                MqttMessageBuilders.subscribe()
                        .messageId(packetId)
                        .addSubscription(MqttQoS.EXACTLY_ONCE, filter)
                        .build(),
                channel.voidPromise());
        return subscription;
    }

    private void sendUnsubscribe(String filter, Channel channel) {
        int packetId = nextPacketId();
        unansweredUnsubscribes.put(packetId, filter);
        var _ = channel.writeAndFlush(
                MqttMessageBuilders.unsubscribe()
                        .messageId(packetId)
                        .addTopicFilter(filter)
                        .build(),
                channel.voidPromise());
    }

    void onSubAck(MqttSubAckMessage packet, Channel channel) {
        Subscription subscription =
                unansweredSubscribes.remove(packet.variableHeader().messageId());
        int reason = packet.payload().reasonCodes().getFirst();
        if (subscription == null || reason >= FIRST_ERROR) {
            ledger.report(clientId + " has received a SUBACK with reason code " + reason);
            return;
        }
        session().subscribed(subscription);
        String left = leaving;
        if (left != null && !left.equals(subscription.filter)) {
            leaving = null;
            Subscription ended = wanted.remove(left);
            if (ended != null) {
                session().end(ended);
            }
            unwanted.add(left);
            sendUnsubscribe(left, channel);
        }
    }

    void onUnsubAck(MqttMessage packet) {
        int packetId = ((MqttMessageIdVariableHeader) packet.variableHeader()).messageId();
        unwanted.remove(unansweredUnsubscribes.remove(packetId));
    }

    void onPublish(MqttPublishMessage packet, Channel channel) {
        RawPublish message = RawPublish.of(packet);
        // A packet identifier that waits for PUBREL marks a repetition [MQTT-4.3.3-10].
        boolean isRepetition = message.qos() == 2 && !unreleased.add(message.packetId());
        if (!isRepetition) {
            long sent =
                    ledger.received(session(), message.payload(), message.qos(), message.duplicate(), message.retain());
            service.sign(sent);
        }
        if (message.qos() > 0) {
            MqttMessageType answer = message.qos() == 1 ? MqttMessageType.PUBACK : MqttMessageType.PUBREC;
            var _ = channel.writeAndFlush(Packets.reply(answer, message.packetId()), channel.voidPromise());
        }
    }

    void onPubRel(MqttMessage packet, Channel channel) {
        int packetId = ((MqttMessageIdVariableHeader) packet.variableHeader()).messageId();
        unreleased.remove(packetId);
        var _ = channel.writeAndFlush(Packets.reply(MqttMessageType.PUBCOMP, packetId), channel.voidPromise());
    }
}

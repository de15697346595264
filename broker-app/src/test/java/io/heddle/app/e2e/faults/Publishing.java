package io.heddle.app.e2e.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.app.e2e.faults.MessageStream.Kind;
import io.heddle.app.e2e.faults.MessageStream.Sent;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPubReplyMessageVariableHeader;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;
import io.netty.handler.codec.mqtt.MqttQoS;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The outgoing messages of one client, with a bounded number in flight. Confined to the clients' event loop. */
final class Publishing {
    private static final int WINDOW = 20;
    private static final int LAST_PACKET_ID = 60_000;
    private static final int FIRST_ERROR = 0x80;

    private static final class Exchange {
        final Sent sent;
        boolean received;

        Exchange(Sent sent) {
            this.sent = sent;
        }
    }

    private final Ledger ledger;
    private final List<MessageStream> streams;
    private final Service service;
    private final Map<Integer, Exchange> inFlight = new LinkedHashMap<>();
    private int turn;
    private int lastPacketId;
    private int refused;
    private int connections;

    /** @param streams in the order in which they have their turns */
    Publishing(Ledger ledger, List<MessageStream> streams, Service service) {
        this.ledger = ledger;
        this.streams = streams;
        this.service = service;
    }

    boolean isIdle() {
        return inFlight.isEmpty();
    }

    /** Returns the number of messages that the broker has refused with a reason code. */
    int refused() {
        return refused;
    }

    /** Publishes a message of the next stream, unless too many are in flight. */
    void publishNext(Channel channel) {
        if (inFlight.size() >= WINDOW || !channel.isWritable()) {
            return;
        }
        MessageStream stream = streams.get(turn);
        turn = (turn + 1) % streams.size();
        Sent sent = ledger.publish(stream, connections);
        if (stream.qos == 0) {
            send(channel, sent, 0, false);
            return;
        }
        do {
            lastPacketId = lastPacketId % LAST_PACKET_ID + 1;
        } while (inFlight.containsKey(lastPacketId));
        inFlight.put(lastPacketId, new Exchange(sent));
        send(channel, sent, lastPacketId, false);
    }

    private static void send(Channel channel, Sent sent, int packetId, boolean duplicate) {
        MessageStream stream = sent.stream;
        MqttFixedHeader header = new MqttFixedHeader(
                MqttMessageType.PUBLISH, duplicate, MqttQoS.valueOf(stream.qos), stream.kind == Kind.RETAINED, 0);
        var _ = channel.writeAndFlush(
                new MqttPublishMessage(
                        header,
                        new MqttPublishVariableHeader(stream.topic, packetId),
                        Unpooled.wrappedBuffer(sent.payload().getBytes(UTF_8))),
                channel.voidPromise());
    }

    /** Repeats unfinished exchanges in a new connection. */
    void resume(Channel channel) {
        connections++;
        inFlight.forEach((packetId, exchange) -> {
            if (exchange.received) {
                var _ = channel.writeAndFlush(Packets.reply(MqttMessageType.PUBREL, packetId), channel.voidPromise());
            } else {
                exchange.sent.stream.repeated(exchange.sent);
                send(channel, exchange.sent, packetId, true);
            }
        });
    }

    /** Gives up unfinished exchanges, which ended with the session. */
    void abandon() {
        inFlight.values().stream().filter(each -> !each.received).forEach(each -> each.sent.abandoned = true);
        inFlight.clear();
    }

    /** PUBACK, PUBREC or PUBCOMP has arrived. */
    void onAnswer(MqttMessage packet, Channel channel) {
        int packetId = ((MqttMessageIdVariableHeader) packet.variableHeader()).messageId();
        Exchange exchange = inFlight.get(packetId);
        if (exchange == null) {
            ledger.report("an answer without an exchange: " + packet);
            return;
        }
        MqttMessageType type = packet.fixedHeader().messageType();
        int reason = packet.variableHeader() instanceof MqttPubReplyMessageVariableHeader reply
                ? Byte.toUnsignedInt(reply.reasonCode())
                : 0;
        if (reason >= FIRST_ERROR) {
            refused++;
            exchange.sent.abandoned = !exchange.received;
            inFlight.remove(packetId);
            return;
        }
        exchange.received = true;
        ledger.acknowledged(exchange.sent);
        if (type == MqttMessageType.PUBREC) {
            var _ = channel.writeAndFlush(Packets.reply(MqttMessageType.PUBREL, packetId), channel.voidPromise());
        } else {
            inFlight.remove(packetId);
            service.sign(exchange.sent.sent);
        }
    }
}

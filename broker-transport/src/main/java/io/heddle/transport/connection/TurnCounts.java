package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientEvents;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.transport.codec.MqttDecoder;
import io.heddle.transport.codec.PacketType;

/**
 * Counts the input and output of one event loop in one turn, and shows the packets to a watcher. Plain fields, added to the server's counters at
 * the end of the turn, so that counting a packet costs almost nothing. Owned by the event loop.
 */
@HotPath
public final class TurnCounts implements MqttDecoder.ReceivedBytes {
    private static final PacketType[] TYPES = PacketType.values();
    private static final int PUBLISH = PacketType.PUBLISH.number();

    // Dependencies.
    private final NettyEventLoop eventLoop;
    private final TransportMetrics metrics;
    private final ClientEvents events;
    // Per turn.
    private final long[] packetsReceived = new long[1 + PacketType.HIGHEST_NUMBER];
    private final long[] packetsSent = new long[1 + PacketType.HIGHEST_NUMBER];
    private long payloadsReceived;
    private long payloadsSent;
    private long bytesReceived;
    private long bytesSent;
    private long writes;
    private boolean due;

    TurnCounts(NettyEventLoop eventLoop, TransportMetrics metrics) {
        this.eventLoop = eventLoop;
        this.metrics = metrics;
        this.events = metrics.incidents().events();
    }

    @Override
    public void received(int bytes) {
        bytesReceived += bytes;
        addUpLater();
    }

    void received(MqttPacket packet, NettyConnection from) {
        if (packet instanceof PublishPacket publish) {
            packetsReceived[PUBLISH]++;
            payloadsReceived += publish.payload().length();
        } else {
            packetsReceived[PacketType.of(packet).number()]++;
        }
        addUpLater();
        events.received(packet, from);
    }

    void sent(int bytes) {
        bytesSent += bytes;
        writes++;
        addUpLater();
    }

    void sent(MqttPacket packet, NettyConnection to) {
        if (packet instanceof PublishPacket publish) {
            packetsSent[PUBLISH]++;
            payloadsSent += publish.payload().length();
        } else {
            packetsSent[PacketType.of(packet).number()]++;
        }
        addUpLater();
        events.sent(packet, to);
    }

    private void addUpLater() {
        if (!due) {
            due = true;
            eventLoop.addUpLater(this);
        }
    }

    /** Adds the counts to the server's counters. Called by the event loop at the end of the turn. */
    void addUp() {
        due = false;
        for (PacketType type : TYPES) {
            int number = type.number();
            if ((packetsReceived[number] | packetsSent[number]) != 0) {
                metrics.packets(type, packetsReceived[number], packetsSent[number]);
                packetsReceived[number] = 0;
                packetsSent[number] = 0;
            }
        }
        metrics.payloads(payloadsReceived, payloadsSent);
        metrics.bytes(bytesReceived, bytesSent, writes);
        payloadsReceived = 0;
        payloadsSent = 0;
        bytesReceived = 0;
        bytesSent = 0;
        writes = 0;
    }
}

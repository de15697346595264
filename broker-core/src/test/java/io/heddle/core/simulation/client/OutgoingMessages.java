package io.heddle.core.simulation.client;

import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.simulation.client.Ledger.Sent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The QoS 1 and 2 messages of a client that are not finished, in the order of their PUBLISH packets. They survive the connection, and are
 * repeated when the session continues.
 */
final class OutgoingMessages {
    private static final int IDS = 8;
    private static final int MAXIMUM = 6;

    private final Ledger ledger;
    private final SimClient client;
    private final List<Outgoing> pending = new ArrayList<>();
    private int nextId;

    private static final class Outgoing {
        private final Sent sent;
        private final int packetId;
        private boolean released;

        Outgoing(Sent sent, int packetId) {
            this.sent = sent;
            this.packetId = packetId;
        }
    }

    OutgoingMessages(Ledger ledger, SimClient client) {
        this.ledger = ledger;
        this.client = client;
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    boolean isFull() {
        return pending.size() >= MAXIMUM;
    }

    /** Returns whether there is room for a message behind a SUBACK, also if the node of the client does not answer. */
    boolean hasRoom() {
        return pending.size() < IDS;
    }

    /** An identifier up to {@value #IDS} that no message uses: the lowest one, or the next one in a circle. */
    private int freeId() {
        nextId = client.reusesIds() ? 0 : nextId;
        do {
            nextId = nextId % IDS + 1;
        } while (pending.stream().anyMatch(each -> each.packetId == nextId));
        return nextId;
    }

    void publish(String topic, QoS qos, boolean retain) {
        publish(topic, qos, retain, null);
    }

    /** @param behind the subscription whose SUBSCRIBE has just been sent, or null */
    void publish(String topic, QoS qos, boolean retain, SessionLog.@Nullable Span behind) {
        Sent sent = ledger.publish(client.toString(), client.sessionName(), topic, qos, retain);
        sent.behind = behind;
        Outgoing outgoing = new Outgoing(sent, qos == QoS.AT_MOST_ONCE ? PublishPacket.NO_PACKET_ID : freeId());
        if (qos != QoS.AT_MOST_ONCE) {
            pending.add(outgoing);
        }
        send(outgoing, false);
    }

    private void send(Outgoing outgoing, boolean duplicate) {
        Sent sent = outgoing.sent;
        client.world()
                .trace(() -> client + " publishes " + sent + " id " + outgoing.packetId + (duplicate ? " DUP" : ""));
        client.send(new PublishPacket(
                TopicName.parse(sent.topic, 8),
                PublishPacket.NO_TOPIC_ALIAS,
                sent.qos,
                sent.retain,
                duplicate,
                outgoing.packetId,
                PublishProperties.NONE,
                List.of(),
                SimClient.payload(sent.id)));
    }

    /** The session continues on a new connection [MQTT-4.4.0-1]. */
    void repeat() {
        for (Outgoing outgoing : List.copyOf(pending)) {
            if (outgoing.released) {
                release(outgoing.packetId);
            } else {
                outgoing.sent.repeated = true;
                send(outgoing, true);
            }
        }
    }

    private void release(int packetId) {
        client.send(new PubRelPacket(packetId, ReasonCode.SUCCESS, null, List.of()));
    }

    /** The session is over: its messages are not sent again. */
    void abandon() {
        pending.forEach(outgoing -> outgoing.sent.abandoned = true);
        pending.clear();
    }

    private @Nullable Outgoing find(int packetId) {
        return pending.stream()
                .filter(each -> each.packetId == packetId)
                .findFirst()
                .orElse(null);
    }

    void onPubAck(int packetId, ReasonCode reason) {
        Outgoing outgoing = find(packetId);
        if (outgoing != null) {
            pending.remove(outgoing);
            acknowledged(outgoing, reason);
        }
    }

    private void acknowledged(Outgoing outgoing, ReasonCode reason) {
        if (reason.isError()) {
            client.world().trace(() -> client + ": " + outgoing.sent + " is refused: " + reason);
            outgoing.sent.abandoned = true;
        } else {
            client.world().trace(() -> client + ": " + outgoing.sent + " is acknowledged");
            ledger.acknowledged(outgoing.sent, client.node());
        }
    }

    void onPubRec(int packetId, ReasonCode reason) {
        Outgoing outgoing = find(packetId);
        if (outgoing == null || outgoing.released) {
            return;
        }
        acknowledged(outgoing, reason);
        if (reason.isError()) {
            pending.remove(outgoing);
        } else {
            outgoing.released = true;
            release(packetId);
        }
    }

    void onPubComp(int packetId) {
        Outgoing outgoing = find(packetId);
        if (outgoing != null && outgoing.released) {
            pending.remove(outgoing);
        }
    }
}

package io.heddle.core.client;

import io.heddle.core.HotPath;
import io.heddle.core.client.PastMessages.SentMessage;
import io.heddle.core.mqtt.QoS;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest messages that one client was sent. Reuses its entries, so that a client with many messages costs no garbage. Guarded by the owner.
 * Bound: {@link PastMessages#DELIVERIES}.
 */
@HotPath
final class DeliveryRing {
    private final @Nullable Entry[] entries = new Entry[PastMessages.DELIVERIES];
    private int next;
    // When the latest of the overwritten messages was sent; 0 if there is none.
    private long overwrittenMillis;

    private static final class Entry {
        long millis;
        long againMillis;
        long acknowledgedMillis;
        String topic = "";
        int topicChecksum;
        QoS qos = QoS.AT_MOST_ONCE;
        int payloadBytes;
        int packetId;
        boolean isPresent;

        boolean awaits(int identifier) {
            return isPresent && packetId == identifier && qos != QoS.AT_MOST_ONCE && acknowledgedMillis == 0;
        }

        SentMessage message() {
            return new SentMessage(
                    millis, againMillis, acknowledgedMillis, topic, topicChecksum, qos, payloadBytes, packetId);
        }
    }

    /** Adds a message; one that an earlier connection has sent stays the same message. */
    void sent(
            long millis,
            String topic,
            int topicChecksum,
            QoS qos,
            int payloadBytes,
            int packetId,
            boolean isDuplicate) {
        Entry before = isDuplicate ? awaiting(packetId) : null;
        if (before != null && before.topic.equals(topic) && before.topicChecksum == topicChecksum) {
            before.againMillis = millis;
            return;
        }
        Entry entry = entries[next];
        if (entry == null) {
            entry = new Entry();
            entries[next] = entry;
        } else if (entry.isPresent) {
            overwrittenMillis = entry.millis;
        }
        entry.millis = millis;
        entry.againMillis = isDuplicate ? millis : 0;
        entry.acknowledgedMillis = 0;
        entry.topic = topic;
        entry.topicChecksum = topicChecksum;
        entry.qos = qos;
        entry.payloadBytes = payloadBytes;
        entry.packetId = packetId;
        entry.isPresent = true;
        next = (next + 1) % entries.length;
    }

    /** Returns the latest message with this Packet Identifier that is not acknowledged, or null. */
    private @Nullable Entry awaiting(int packetId) {
        for (int i = 1; i <= entries.length; i++) {
            Entry each = entries[(next - i) & (entries.length - 1)];
            if (each != null && each.awaits(packetId)) {
                return each;
            }
        }
        return null;
    }

    void acknowledged(long millis, int packetId) {
        Entry found = awaiting(packetId);
        if (found != null) {
            found.acknowledgedMillis = millis;
        }
    }

    @Nullable
    SentMessage remove(int packetId) {
        Entry found = awaiting(packetId);
        if (found == null) {
            return null;
        }
        found.isPresent = false;
        return found.message();
    }

    /** Returns the time since which no message was overwritten, in milliseconds since 1970; 0 if none ever was. */
    long fromMillis() {
        return overwrittenMillis == 0 ? 0 : overwrittenMillis + 1;
    }

    /** Returns the messages, the latest first. */
    List<SentMessage> latest() {
        List<SentMessage> latest = new ArrayList<>();
        for (int i = 1; i <= entries.length; i++) {
            Entry each = entries[(next - i) & (entries.length - 1)];
            if (each != null && each.isPresent) {
                latest.add(each.message());
            }
        }
        return latest;
    }
}

package io.heddle.core.client;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.QoS;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for administrators, the latest messages that clients of this node have missed and those that they were sent: of clients that have
 * missed messages or are traced.
 *
 * <p>Thread-safe: the clients are found without a lock; one is taken when a further client is added, and one of each client for each of its
 * messages. Bounds: {@value #CLIENTS} clients, of which the one that was added first is forgotten; of each of them the last {@value #DROPS}
 * missed messages and, apart from them so that neither displace the others, the last {@value #DELIVERIES} deliveries; topics of
 * {@value #TOPIC_CHARACTERS} characters.
 */
@HotPath
public final class PastMessages {
    /** The missed messages that are kept of a client. */
    public static final int DROPS = 16;

    public static final int DELIVERIES = 64;

    /** The length of a payload that is not known. */
    public static final int UNKNOWN_BYTES = -1;

    static final int CLIENTS = 1_024;
    private static final int TOPIC_CHARACTERS = 256;
    private static final long WINDOW_MILLIS = 30_000;

    private final ClientEvents events;
    private final ConcurrentHashMap<ClientId, OfClient> clients = new ConcurrentHashMap<>();
    // The client that was added last is the last one. Guarded by this.
    private final ArrayDeque<OfClient> order = new ArrayDeque<>();
    // Raised when a client is added. Written under the lock.
    private volatile int changes;

    /**
     * A message that a client has missed.
     *
     * @param millis the time of day, in milliseconds since 1970
     * @param reason as in {@code heddle.messages.dropped}
     * @param topic perhaps cut; null if it is unknown
     * @param topicChecksum of a topic that is cut; else 0
     * @param qos of the delivery
     * @param payloadBytes its length, or {@link #UNKNOWN_BYTES}
     */
    public record DroppedMessage(
            long millis, String reason, @Nullable String topic, int topicChecksum, QoS qos, int payloadBytes) {
        /** @param topic as it was published, or null */
        public DroppedMessage(long millis, String reason, @Nullable String topic, QoS qos, int payloadBytes) {
            this(
                    millis,
                    reason,
                    topic == null ? null : cut(topic),
                    topic == null ? 0 : checksum(topic),
                    qos,
                    payloadBytes);
        }

        public boolean isOf(String whole) {
            return topic != null && topic.equals(cut(whole)) && topicChecksum == checksum(whole);
        }
    }

    /**
     * @param millis the time of day, in milliseconds since 1970
     * @param againMillis when it was sent again over a later connection; 0 if it was not
     * @param acknowledgedMillis when PUBACK or PUBREC came; 0 if none has
     * @param topic perhaps cut
     * @param topicChecksum of a topic that is cut; else 0
     * @param qos of the delivery
     * @param payloadBytes its length
     * @param packetId its Packet Identifier; 0 at QoS 0
     */
    public record SentMessage(
            long millis,
            long againMillis,
            long acknowledgedMillis,
            String topic,
            int topicChecksum,
            QoS qos,
            int payloadBytes,
            int packetId) {
        /** @param topic as it was published */
        public SentMessage(
                long millis,
                long againMillis,
                long acknowledgedMillis,
                String topic,
                QoS qos,
                int payloadBytes,
                int packetId) {
            this(millis, againMillis, acknowledgedMillis, cut(topic), checksum(topic), qos, payloadBytes, packetId);
        }

        /** Returns when it was sent last. */
        public long latestMillis() {
            return Math.max(millis, againMillis);
        }

        public boolean isOf(String whole) {
            return topic.equals(cut(whole)) && topicChecksum == checksum(whole);
        }
    }

    /**
     * @param beginMillis since when, in milliseconds since 1970
     * @param dropsFromMillis since when all missed messages are in the list
     * @param deliveriesFromMillis since when all deliveries are in the list
     * @param drops the latest first
     * @param deliveries the latest first
     */
    public record Remembered(
            long beginMillis,
            long dropsFromMillis,
            long deliveriesFromMillis,
            List<DroppedMessage> drops,
            List<SentMessage> deliveries) {}

    private static String cut(String topic) {
        return topic.length() <= TOPIC_CHARACTERS ? topic : topic.substring(0, TOPIC_CHARACTERS);
    }

    /** Returns what tells a topic that is cut from others that begin the same; 0 for a short one. */
    private static int checksum(String topic) {
        if (topic.length() <= TOPIC_CHARACTERS) {
            return 0;
        }
        CRC32C sum = new CRC32C();
        sum.update(topic.getBytes(StandardCharsets.UTF_8));
        return (int) sum.getValue();
    }

    PastMessages(ClientEvents events) {
        this.events = events;
    }

    /** Returns how often a client was added. As long as that does not change, {@link #find} finds no further client. */
    public int changes() {
        return changes;
    }

    /** Returns the record of a client; null if nothing is remembered of it. */
    public @Nullable OfClient find(ClientId clientId) {
        return clients.get(clientId);
    }

    /** Returns the record of a client, which is created if it is missing. */
    public OfClient of(ClientId clientId, long nowMillis) {
        OfClient present = clients.get(clientId);
        return present == null ? add(clientId, nowMillis) : present;
    }

    /** Remembers a client from now on, unless that would displace another one. */
    public void rememberIfRoom(ClientId clientId, long nowMillis) {
        if (clients.size() < CLIENTS) {
            var _ = of(clientId, nowMillis);
        }
    }

    private synchronized OfClient add(ClientId clientId, long nowMillis) {
        OfClient present = clients.get(clientId);
        if (present == null) {
            if (order.size() == CLIENTS) {
                OfClient first = order.remove();
                first.isForgotten = true;
                clients.remove(first.clientId);
            }
            present = new OfClient(clientId, events, nowMillis);
            clients.put(clientId, present);
            order.add(present);
            changes++;
        }
        return present;
    }

    /** Returns what is remembered of a client; null if nothing is. */
    public @Nullable Remembered remembered(ClientId clientId) {
        OfClient found = clients.get(clientId);
        return found == null ? null : found.remembered();
    }

    /** Returns how many messages the clients have missed a second, in the last half to whole minute. */
    public Rates perSecond(long nowMillis) {
        Map<String, Double> byClient = new HashMap<>();
        double total = 0;
        for (OfClient each : clients.values()) {
            double rate = each.perSecond(nowMillis);
            if (rate > 0) {
                byClient.put(each.clientId.value(), rate);
                total += rate;
            }
        }
        return new Rates(total, byClient);
    }

    public static final class OfClient {
        private final ClientId clientId;
        private final ClientEvents events;
        private final long beginMillis;
        // Guarded by this.
        private final @Nullable DroppedMessage[] drops = new DroppedMessage[DROPS];
        private int nextDrop;
        // Null before the first delivery, because clients that are away have none.
        private @Nullable DeliveryRing deliveries;
        // The windows of half a minute: the one that is under way, and the one before it.
        private long windowMillis;
        private long count;
        private long countBefore;

        private volatile boolean isForgotten;

        private OfClient(ClientId clientId, ClientEvents events, long nowMillis) {
            this.clientId = clientId;
            this.events = events;
            this.beginMillis = nowMillis;
        }

        /** Returns whether nothing reads this record any more. */
        public boolean isForgotten() {
            return isForgotten;
        }

        /** Adds a missed message; the parameters are those of {@link DroppedMessage}. */
        public void add(long millis, String reason, @Nullable String topic, QoS qos, int payloadBytes) {
            DroppedMessage message = new DroppedMessage(millis, reason, topic, qos, payloadBytes);
            add(message);
            events.dropped(clientId, message);
        }

        private synchronized void add(DroppedMessage message) {
            drops[nextDrop] = message;
            nextDrop = (nextDrop + 1) % DROPS;
            turn(message.millis());
            count++;
        }

        private void turn(long millis) {
            long passed = millis - windowMillis;
            if (passed >= WINDOW_MILLIS) {
                countBefore = passed < 2 * WINDOW_MILLIS ? count : 0;
                windowMillis = passed < 2 * WINDOW_MILLIS ? windowMillis + WINDOW_MILLIS : millis;
                count = 0;
            }
        }

        private synchronized double perSecond(long millis) {
            turn(millis);
            return (count + countBefore) * 1_000.0 / (WINDOW_MILLIS + millis - windowMillis);
        }

        /**
         * The client was sent a message; the parameters are those of {@link SentMessage}.
         *
         * @param isDuplicate whether an earlier connection may have sent it, too
         */
        public synchronized void sent(
                long millis, String topic, QoS qos, int payloadBytes, int packetId, boolean isDuplicate) {
            DeliveryRing ring = deliveries;
            if (ring == null) {
                ring = new DeliveryRing();
                deliveries = ring;
            }
            ring.sent(millis, cut(topic), checksum(topic), qos, payloadBytes, packetId, isDuplicate);
        }

        /** PUBACK or PUBREC has come for the latest message with this Packet Identifier. */
        public synchronized void acknowledged(long millis, int packetId) {
            if (deliveries != null) {
                deliveries.acknowledged(millis, packetId);
            }
        }

        /**
         * The client has refused the latest message with this Packet Identifier, which becomes a missed one.
         *
         * @return null if the message is not remembered
         */
        public synchronized @Nullable SentMessage refused(int packetId) {
            return deliveries == null ? null : deliveries.remove(packetId);
        }

        private synchronized Remembered remembered() {
            List<DroppedMessage> latest = new ArrayList<>();
            for (int i = 1; i <= DROPS; i++) {
                DroppedMessage each = drops[Math.floorMod(nextDrop - i, DROPS)];
                if (each != null) {
                    latest.add(each);
                }
            }
            return new Remembered(
                    beginMillis,
                    latest.size() == DROPS ? latest.getLast().millis() : beginMillis,
                    Math.max(beginMillis, deliveries == null ? 0 : deliveries.fromMillis()),
                    latest,
                    deliveries == null ? List.of() : deliveries.latest());
        }
    }
}

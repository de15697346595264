package io.heddle.core.client;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.QoS;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The latest messages that clients of this node have missed, by client, so that an administrator can be told what became of them.
 *
 * <p>Thread-safe: one lock for the clients, which is taken when a connected client begins to miss messages and for each message that a stored
 * queue drops, and one for each client. Bounds: {@value #MESSAGES} messages of each of {@value #CLIENTS} clients,
 * of which the one that was added first is forgotten; topics of {@value #TOPIC_CHARACTERS} characters.
 */
@HotPath
public final class RecentDrops {
    /** The messages that are kept of a client. */
    public static final int MESSAGES = 16;

    /** The length of a payload that is not known. */
    public static final int UNKNOWN_BYTES = -1;

    static final int CLIENTS = 1_024;
    private static final int TOPIC_CHARACTERS = 256;
    private static final long WINDOW_MILLIS = 30_000;

    private final ClientEvents events;
    // The client that was added last is the last one. Guarded by this.
    private final LinkedHashMap<ClientId, OfClient> clients = new LinkedHashMap<>();

    /**
     * A message that a client has missed.
     *
     * @param millis the time of day, in milliseconds since 1970
     * @param reason as in {@code heddle.messages.dropped}
     * @param topic perhaps cut; null if it is unknown
     * @param qos of the delivery
     * @param payloadBytes its length, or {@link #UNKNOWN_BYTES}
     */
    public record DroppedMessage(
            long millis, String reason, @Nullable String topic, QoS qos, int payloadBytes) {
        /** Returns whether this may be a message of the topic, of which only the beginning is known if it is long. */
        public boolean isOf(String whole) {
            return topic != null && topic.equals(cut(whole));
        }
    }

    private static @Nullable String cut(@Nullable String topic) {
        return topic == null || topic.length() <= TOPIC_CHARACTERS ? topic : topic.substring(0, TOPIC_CHARACTERS);
    }

    RecentDrops(ClientEvents events) {
        this.events = events;
    }

    /** Returns the record of a client, which is created if it is missing. */
    public synchronized OfClient of(ClientId clientId) {
        OfClient present = clients.get(clientId);
        if (present == null) {
            present = new OfClient(clientId, events);
            clients.put(clientId, present);
            if (clients.size() > CLIENTS) {
                clients.pollFirstEntry().getValue().isForgotten = true;
            }
        }
        return present;
    }

    /** Returns the latest messages that a client has missed, the latest first. */
    public List<DroppedMessage> latest(ClientId clientId) {
        OfClient found;
        synchronized (this) {
            found = clients.get(clientId);
        }
        return found == null ? List.of() : found.latest();
    }

    /** Returns how many messages the clients have missed a second, in the last half to whole minute. */
    public Rates perSecond(long nowMillis) {
        Map<ClientId, OfClient> present;
        synchronized (this) {
            present = new LinkedHashMap<>(clients);
        }
        Map<String, Double> byClient = new HashMap<>();
        double total = 0;
        for (Map.Entry<ClientId, OfClient> each : present.entrySet()) {
            double rate = each.getValue().perSecond(nowMillis);
            if (rate > 0) {
                byClient.put(each.getKey().value(), rate);
                total += rate;
            }
        }
        return new Rates(total, byClient);
    }

    /** The messages of one client. */
    public static final class OfClient {
        private final ClientId clientId;
        private final ClientEvents events;
        // Guarded by this.
        private final @Nullable DroppedMessage[] messages = new DroppedMessage[MESSAGES];
        private int next;
        // The windows of half a minute: the one that is under way, and the one before it.
        private long windowMillis;
        private long count;
        private long countBefore;

        private volatile boolean isForgotten;

        private OfClient(ClientId clientId, ClientEvents events) {
            this.clientId = clientId;
            this.events = events;
        }

        /** Returns whether nothing reads this record any more. */
        public boolean isForgotten() {
            return isForgotten;
        }

        /** Adds a message; the parameters are those of {@link DroppedMessage}. */
        public void add(long millis, String reason, @Nullable String topic, QoS qos, int payloadBytes) {
            DroppedMessage message = new DroppedMessage(millis, reason, cut(topic), qos, payloadBytes);
            add(message);
            events.dropped(clientId, message);
        }

        private synchronized void add(DroppedMessage message) {
            messages[next] = message;
            next = (next + 1) % MESSAGES;
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

        private synchronized List<DroppedMessage> latest() {
            List<DroppedMessage> latest = new ArrayList<>();
            for (int i = 1; i <= MESSAGES; i++) {
                DroppedMessage each = messages[Math.floorMod(next - i, MESSAGES)];
                if (each != null) {
                    latest.add(each);
                }
            }
            return latest;
        }
    }
}

package io.heddle.core.client;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.QoS;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest messages that clients of this node have missed, by client, so that an administrator can be told what became of them.
 *
 * <p>Thread-safe: one lock for the clients, which is taken when a client begins to miss messages, and one for each client. Bounds: {@value
 * #MESSAGES} messages of each of {@value #CLIENTS} clients, of which the one that was added first is forgotten; topics of {@value
 * #TOPIC_CHARACTERS} characters.
 */
@HotPath
public final class RecentDrops {
    /** The messages that are kept of a client. */
    public static final int MESSAGES = 16;

    static final int CLIENTS = 1_024;
    private static final int TOPIC_CHARACTERS = 256;

    // The client that was added last is the last one. Guarded by this.
    private final LinkedHashMap<ClientId, OfClient> clients = new LinkedHashMap<>();

    /**
     * A message that a client has missed.
     *
     * @param millis the time of day, in milliseconds since 1970
     * @param reason as in {@code heddle.messages.dropped}
     * @param topic perhaps cut; null if only the number of messages is known
     * @param payloadBytes its length
     */
    public record DroppedMessage(
            long millis, String reason, @Nullable String topic, QoS qos, int payloadBytes) {}

    /** Returns the record of a client, which is created if it is missing. */
    public synchronized OfClient of(ClientId clientId) {
        OfClient present = clients.get(clientId);
        if (present == null) {
            present = new OfClient();
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

    /** The messages of one client. */
    public static final class OfClient {
        // Guarded by this.
        private final @Nullable DroppedMessage[] messages = new DroppedMessage[MESSAGES];
        private int next;

        private volatile boolean isForgotten;

        private OfClient() {}

        /** Returns whether nothing reads this record any more. */
        public boolean isForgotten() {
            return isForgotten;
        }

        /** Adds a message; the parameters are those of {@link DroppedMessage}. */
        public synchronized void add(long millis, String reason, @Nullable String topic, QoS qos, int payloadBytes) {
            String cut =
                    topic == null || topic.length() <= TOPIC_CHARACTERS ? topic : topic.substring(0, TOPIC_CHARACTERS);
            messages[next] = new DroppedMessage(millis, reason, cut, qos, payloadBytes);
            next = (next + 1) % MESSAGES;
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

package io.heddle.core.client;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientIncidents.Origin;
import io.heddle.core.client.RecentDrops.DroppedMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import java.net.SocketAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shows a watcher what the clients of this node send and receive, what is refused to them, which messages they miss, and how their connections
 * end. Without a watcher, an event costs one read of a volatile field. Thread-safe.
 */
@HotPath
public final class ClientEvents {
    private volatile @Nullable Watcher watcher;
    private volatile Function<ClientId, @Nullable Origin> connected = _ -> null;

    /**
     * The client of an event.
     *
     * @param clientId as sent until it is proven; empty if it is unknown
     * @param userName as sent until it is proven; null if it is unknown or there is none
     * @param address null if it is unknown
     */
    public record Client(
            String clientId,
            @Nullable String userName,
            @Nullable SocketAddress address) {}

    /** Watches clients. Its methods are called on any thread, also event loops, so they must not block. */
    public interface Watcher {
        /**
         * A packet was received, before it is handled, or was sent.
         *
         * @param topic of a PUBLISH, also if the packet names it by an alias; null for other packets
         */
        void onPacket(Client client, boolean isInbound, MqttPacket packet, @Nullable TopicName topic);

        /** Something was refused; the parameters are those of {@link RecentRefusals.Refusal}. */
        void onRefusal(Client client, String kind, String reason, String detail);

        /** The client misses a message. */
        void onDrop(Client client, DroppedMessage message);

        /** The connection of the client has ended. */
        void onEnd(Client client, DisconnectCause cause);
    }

    /** Sets the only watcher, or none. */
    public void watch(@Nullable Watcher watching) {
        watcher = watching;
    }

    /** Names clients of which only the id is known; see {@link ClientIncidents#lookUp}. */
    void lookUp(Function<ClientId, @Nullable Origin> lookup) {
        connected = lookup;
    }

    @Nullable
    Origin origin(ClientId clientId) {
        return connected.apply(clientId);
    }

    /** A packet was received. A PUBLISH without a topic is left to {@link #resolved}. */
    public void received(MqttPacket packet, Connection connection) {
        Watcher watching = watcher;
        if (watching != null) {
            PublishPacket publish = packet instanceof PublishPacket found ? found : null;
            if (publish == null || publish.topic() != null) {
                watching.onPacket(client(connection), true, packet, publish == null ? null : publish.topic());
            }
        }
    }

    /** A PUBLISH was received that names its topic by an alias. */
    public void resolved(PublishPacket packet, TopicName topic, Connection connection) {
        Watcher watching = watcher;
        if (watching != null) {
            watching.onPacket(client(connection), true, packet, topic);
        }
    }

    /** A packet was sent. */
    public void sent(MqttPacket packet, Connection connection) {
        Watcher watching = watcher;
        if (watching != null) {
            TopicName topic = packet instanceof PublishPacket publish ? publish.topic() : null;
            watching.onPacket(client(connection), false, packet, topic);
        }
    }

    private static Client client(Connection connection) {
        ClientNames names = connection.names();
        return new Client(names.clientId(), names.userName(), connection.remoteAddress());
    }

    void refused(
            String kind,
            String reason,
            String detail,
            String clientId,
            @Nullable String userName,
            @Nullable SocketAddress address) {
        Watcher watching = watcher;
        if (watching != null) {
            watching.onRefusal(new Client(clientId, userName, address), kind, reason, detail);
        }
    }

    void dropped(ClientId clientId, DroppedMessage message) {
        Watcher watching = watcher;
        if (watching != null) {
            Origin origin = origin(clientId);
            watching.onDrop(
                    new Client(
                            clientId.value(),
                            origin == null ? null : origin.userName(),
                            origin == null ? null : origin.address()),
                    message);
        }
    }

    /** The connection of a client has ended. */
    public void ended(
            String clientId, @Nullable String userName, @Nullable SocketAddress address, DisconnectCause cause) {
        Watcher watching = watcher;
        if (watching != null) {
            watching.onEnd(new Client(clientId, userName, address), cause);
        }
    }
}

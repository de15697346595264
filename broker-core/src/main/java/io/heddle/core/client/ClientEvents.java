package io.heddle.core.client;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientIncidents.Origin;
import io.heddle.core.client.PastMessages.DroppedMessage;
import io.heddle.core.client.RecentRefusals.Kind;
import io.heddle.core.client.event.ClientEvent;
import io.heddle.core.client.event.ClientEvent.Change;
import io.heddle.core.client.event.ClientEvent.Client;
import io.heddle.core.client.event.ClientEvent.Filter;
import io.heddle.core.client.event.ClientEvent.SessionEnd;
import io.heddle.core.client.event.ClientWatcher;
import io.heddle.core.client.event.EventValues;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shows what happens to the clients of this node to a tracer and to a publisher, and to the tracer the packets, too. Without them, an event costs
 * a read of two volatile fields, and a packet a read of one. Nothing is created before one of them accepts the event. Thread-safe.
 */
@HotPath
public final class ClientEvents {
    private final PastMessages pastMessages = new PastMessages(this);
    private volatile @Nullable Watcher tracer;
    private volatile @Nullable ClientWatcher publisher;
    private volatile Function<ClientId, @Nullable Origin> connected = _ -> null;

    /** Watches packets, too. */
    public interface Watcher extends ClientWatcher {
        @Override
        default boolean accepts(ClientEvent.Kind kind) {
            return true;
        }

        /**
         * A packet was received, before it is handled, or was sent.
         *
         * @param topic of a PUBLISH, also if the packet names it by an alias; null for other packets
         */
        void onPacket(Client client, boolean isInbound, MqttPacket packet, @Nullable TopicName topic);
    }

    /** Returns what became of the latest messages for some of the clients. */
    public PastMessages pastMessages() {
        return pastMessages;
    }

    /** Sets the only tracer, or none. */
    public void watch(@Nullable Watcher watching) {
        tracer = watching;
    }

    /** Sets the only publisher, or none. */
    public void publish(@Nullable ClientWatcher publishing) {
        publisher = publishing;
    }

    /** Names clients of which only the id is known; see {@link ClientIncidents#lookUp}. */
    void lookUp(Function<ClientId, @Nullable Origin> lookup) {
        connected = lookup;
    }

    @Nullable
    Origin origin(ClientId clientId) {
        return connected.apply(clientId);
    }

    private Client client(ClientId clientId) {
        Origin origin = origin(clientId);
        return new Client(
                clientId.value(), origin == null ? null : origin.userName(), origin == null ? null : origin.address());
    }

    private static Client client(Connection connection) {
        ClientNames names = connection.names();
        return new Client(names.clientId(), names.userName(), connection.remoteAddress());
    }

    // Packets.

    /** A packet was received. A PUBLISH without a topic is left to {@link #resolved}. */
    public void received(MqttPacket packet, Connection connection) {
        Watcher tracing = tracer;
        if (tracing != null) {
            PublishPacket publish = packet instanceof PublishPacket found ? found : null;
            if (publish == null || publish.topic() != null) {
                tracing.onPacket(client(connection), true, packet, publish == null ? null : publish.topic());
            }
        }
    }

    public void resolved(PublishPacket packet, TopicName topic, Connection connection) {
        Watcher tracing = tracer;
        if (tracing != null) {
            tracing.onPacket(client(connection), true, packet, topic);
        }
    }

    public void sent(MqttPacket packet, Connection connection) {
        Watcher tracing = tracer;
        if (tracing != null) {
            TopicName topic = packet instanceof PublishPacket publish ? publish.topic() : null;
            tracing.onPacket(client(connection), false, packet, topic);
        }
    }

    // Events.

    private @Nullable ClientWatcher publisher(ClientEvent.Kind kind) {
        ClientWatcher publishing = publisher;
        return publishing != null && publishing.accepts(kind) ? publishing : null;
    }

    private static void show(ClientEvent event, @Nullable ClientWatcher tracing, @Nullable ClientWatcher publishing) {
        if (tracing != null) {
            tracing.onEvent(event);
        }
        if (publishing != null) {
            publishing.onEvent(event);
        }
    }

    /** A client has its session, and CONNACK was sent. The parameters are those of {@link ClientEvent.Connected}. */
    public void connected(
            Connection connection,
            MqttVersion version,
            boolean cleanStart,
            boolean sessionPresent,
            int keepAliveSeconds,
            long sessionExpirySeconds) {
        Watcher tracing = tracer;
        ClientWatcher publishing = publisher(ClientEvent.Kind.CONNECTED);
        if (tracing != null || publishing != null) {
            show(
                    new ClientEvent.Connected(
                            client(connection),
                            connection.listener(),
                            version,
                            cleanStart,
                            sessionPresent,
                            keepAliveSeconds,
                            sessionExpirySeconds),
                    tracing,
                    publishing);
        }
    }

    /** The connection of a client has ended. */
    public void ended(
            String clientId, @Nullable String userName, @Nullable SocketAddress address, DisconnectCause cause) {
        Watcher tracing = tracer;
        ClientWatcher publishing = publisher(ClientEvent.Kind.DISCONNECTED);
        if (tracing != null || publishing != null) {
            show(
                    new ClientEvent.Disconnected(
                            new Client(clientId, userName, address), cause.reason(), cause.detail()),
                    tracing,
                    publishing);
        }
    }

    /** A listener has closed a connection before CONNECT. */
    void closed(String reason, String detail, @Nullable SocketAddress address) {
        refused(ClientEvent.Kind.REFUSED, "CONNECTION", reason, detail, "", null, address);
    }

    void refused(
            Kind refused,
            String reason,
            String detail,
            String clientId,
            @Nullable String userName,
            @Nullable SocketAddress address) {
        ClientEvent.Kind kind = switch (refused) {
            case PUBLISH, SUBSCRIBE, WILL -> ClientEvent.Kind.DENIED;
            case CONNECT, LIMIT, PROTOCOL, TAKEOVER -> ClientEvent.Kind.REFUSED;
        };
        refused(kind, refused.name(), reason, detail, clientId, userName, address);
    }

    private void refused(
            ClientEvent.Kind kind,
            String refused,
            String reason,
            String detail,
            String clientId,
            @Nullable String userName,
            @Nullable SocketAddress address) {
        Watcher tracing = tracer;
        ClientWatcher publishing = publisher(kind);
        if (tracing != null || publishing != null) {
            Client client = new Client(clientId, userName, address);
            show(new ClientEvent.Refused(client, kind, refused, reason, detail), tracing, publishing);
        }
    }

    void dropped(ClientId clientId, DroppedMessage message) {
        Watcher tracing = tracer;
        ClientWatcher publishing = publisher(ClientEvent.Kind.DROPPED);
        if (tracing != null || publishing != null) {
            Integer bytes = message.payloadBytes() == PastMessages.UNKNOWN_BYTES ? null : message.payloadBytes();
            show(
                    new ClientEvent.Dropped(client(clientId), message.reason(), message.topic(), message.qos(), bytes),
                    tracing,
                    publishing);
        }
    }

    /** SUBACK has these answers to these requests. */
    public void subscribed(List<SubscriptionRequest> requests, List<ReasonCode> reasons, Connection connection) {
        if (tracer != null || publisher != null) {
            List<Filter> granted = new ArrayList<>(requests.size());
            for (int i = 0; i < requests.size(); i++) {
                if (!reasons.get(i).isError()) {
                    granted.add(new Filter(
                            requests.get(i).topicFilter(), reasons.get(i).code()));
                }
            }
            changed(Change.SUBSCRIBED, granted, client(connection));
        }
    }

    /** UNSUBACK has these answers for these filters. */
    public void unsubscribed(List<String> topicFilters, List<ReasonCode> reasons, Connection connection) {
        if (tracer != null || publisher != null) {
            List<Filter> removed = new ArrayList<>(topicFilters.size());
            for (int i = 0; i < topicFilters.size(); i++) {
                if (reasons.get(i) == ReasonCode.SUCCESS) {
                    removed.add(new Filter(topicFilters.get(i), null));
                }
            }
            changed(Change.UNSUBSCRIBED, removed, client(connection));
        }
    }

    /** The rules deny these subscriptions of a connected client, which are removed. */
    void revoked(List<String> topicFilters, ClientId clientId) {
        if (tracer != null || publisher != null) {
            List<Filter> removed = new ArrayList<>(topicFilters.size());
            for (String each : topicFilters) {
                removed.add(new Filter(each, null));
            }
            changed(Change.REVOKED, removed, client(clientId));
        }
    }

    private void changed(Change change, List<Filter> filters, Client client) {
        for (int from = 0; from < filters.size(); from += EventValues.MAXIMUM_ITEMS) {
            Watcher tracing = tracer;
            ClientWatcher publishing = publisher(ClientEvent.Kind.SUBSCRIPTIONS_CHANGED);
            if (tracing != null || publishing != null) {
                List<Filter> listed = filters.subList(from, Math.min(filters.size(), from + EventValues.MAXIMUM_ITEMS));
                show(new ClientEvent.SubscriptionsChanged(client, change, listed), tracing, publishing);
            }
        }
    }

    /** The end of a persistent session is durable. */
    public void sessionEnded(ClientId clientId, @Nullable String userName, SessionEnd reason) {
        Watcher tracing = tracer;
        ClientWatcher publishing = publisher(ClientEvent.Kind.SESSION_ENDED);
        if (tracing != null || publishing != null) {
            Client client = new Client(clientId.value(), userName, null);
            show(new ClientEvent.SessionEnded(client, reason), tracing, publishing);
        }
    }
}

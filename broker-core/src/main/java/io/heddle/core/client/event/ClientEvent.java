package io.heddle.core.client.event;

import io.heddle.core.RemoteNetwork;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Something that has happened to a client. */
public sealed interface ClientEvent {
    /** Returns what has happened. */
    Kind kind();

    Client client();

    /** Returns the values that are particular to the kind. */
    EventValues values();

    /** Returns the values that name the client, and those of {@link #values}. */
    default EventValues described() {
        return client().values().withAll(values());
    }

    enum Kind {
        CONNECTED,
        DISCONNECTED,
        /** Something other than by rules. */
        REFUSED,
        SESSION_ENDED,
        SUBSCRIPTIONS_CHANGED,
        /** Refused by the rules. */
        DENIED,
        DROPPED;

        private final String text = name().toLowerCase(Locale.ROOT);

        /** Returns the name for people and programs, such as {@code session_ended}. */
        public String text() {
            return text;
        }
    }

    /**
     * @param clientId as sent until it is proven; empty if it is unknown
     * @param userName as sent until it is proven; null if it is unknown or there is none
     * @param address null if it is unknown
     */
    record Client(
            String clientId,
            @Nullable String userName,
            @Nullable SocketAddress address) {
        public EventValues values() {
            return new EventValues()
                    .with("clientId", clientId.isEmpty() ? null : clientId)
                    .with("userName", userName)
                    .with("address", address == null ? null : RemoteNetwork.host(address))
                    .with("port", address instanceof InetSocketAddress internet ? internet.getPort() : null);
        }
    }

    /**
     * A client has its session, and CONNACK was sent.
     *
     * @param keepAliveSeconds in force; 0 for none
     * @param sessionExpirySeconds in force
     */
    record Connected(
            Client client,
            String listener,
            MqttVersion version,
            boolean cleanStart,
            boolean sessionPresent,
            int keepAliveSeconds,
            long sessionExpirySeconds)
            implements ClientEvent {
        @Override
        public Kind kind() {
            return Kind.CONNECTED;
        }

        @Override
        public EventValues values() {
            return new EventValues()
                    .with("listener", listener)
                    .with("protocolVersion", version.text())
                    .with("cleanStart", cleanStart)
                    .with("sessionPresent", sessionPresent)
                    .with("keepAliveSeconds", keepAliveSeconds)
                    .with("sessionExpirySeconds", sessionExpirySeconds);
        }
    }

    /**
     * A connection has ended.
     *
     * @param reason one word
     * @param detail one clause for the operator, perhaps with text of the client
     */
    record Disconnected(Client client, String reason, String detail) implements ClientEvent {
        @Override
        public Kind kind() {
            return Kind.DISCONNECTED;
        }

        @Override
        public EventValues values() {
            return new EventValues().with("reason", reason).with("detail", detail);
        }
    }

    /**
     * Something was refused.
     *
     * @param kind {@link Kind#DENIED} or {@link Kind#REFUSED}
     * @param refused one word
     * @param reason the name of a reason code or of a setting
     * @param detail for the operator; may contain text of the client
     */
    record Refused(Client client, Kind kind, String refused, String reason, String detail) implements ClientEvent {
        @Override
        public EventValues values() {
            return new EventValues()
                    .with("refused", refused)
                    .with("reason", reason)
                    .with("detail", detail);
        }
    }

    /** A client misses a message. The topic, and the payload's length, are null if they are unknown. */
    record Dropped(
            Client client,
            String reason,
            @Nullable String topic,
            QoS qos,
            @Nullable Integer payloadBytes) implements ClientEvent {
        @Override
        public Kind kind() {
            return Kind.DROPPED;
        }

        @Override
        public EventValues values() {
            return new EventValues()
                    .with("reason", reason)
                    .with("topic", topic)
                    .with("qos", qos.level())
                    .with("payloadBytes", payloadBytes);
        }
    }

    /** Why subscriptions have changed. */
    enum Change {
        /** The client has subscribed. */
        SUBSCRIBED,
        /** The client has unsubscribed. */
        UNSUBSCRIBED,
        /** The rules deny subscriptions that the client had. */
        REVOKED
    }

    /**
     * A topic filter of a subscription.
     *
     * @param qos the highest QoS that is granted; null if the client has the subscription no more
     */
    record Filter(String topicFilter, @Nullable Integer qos) {}

    /** Subscriptions of a client have changed. Changes with more filters than an event may list are several events. */
    record SubscriptionsChanged(Client client, Change change, List<Filter> filters) implements ClientEvent {
        @Override
        public Kind kind() {
            return Kind.SUBSCRIPTIONS_CHANGED;
        }

        @Override
        public EventValues values() {
            return new EventValues()
                    .with("change", change.name().toLowerCase(Locale.ROOT))
                    .with(
                            "filters",
                            filters.stream().map(SubscriptionsChanged::values).toList());
        }

        private static Map<String, Object> values(Filter filter) {
            return new EventValues()
                    .with("topicFilter", filter.topicFilter())
                    .with("qos", filter.qos())
                    .toMap();
        }
    }

    /** Why a persistent session has ended. */
    enum SessionEnd {
        /** The client was away for the Session Expiry Interval. */
        EXPIRED,
        /** The client has disconnected, and the Session Expiry Interval is 0. */
        DISCONNECTED,
        /** The client has connected with Clean Start. */
        CLEAN_START,
        /** The client has connected as another user, or with another client type. */
        CLIENT_CHANGED,
        ADMINISTRATOR,
        /** The client was refused while its session began. */
        NOT_OPENED
    }

    /** A persistent session has ended, and its messages are removed. The address of the client is not known. */
    record SessionEnded(Client client, SessionEnd reason) implements ClientEvent {
        @Override
        public Kind kind() {
            return Kind.SESSION_ENDED;
        }

        @Override
        public EventValues values() {
            return new EventValues().with("reason", reason.name().toLowerCase(Locale.ROOT));
        }
    }
}

package io.heddle.core.session;

import io.heddle.core.authentication.AuthExchange;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.EnhancedMethod;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.authorization.decision.ClientRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.WillMessage;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts CONNECT packets: validates each, authenticates its client, perhaps in an {@link AuthExchange}, and starts a {@link
 * ConnectAttempt}. Each call stays on its connection's event loop, except for the authentication.
 */
public final class ConnectService {
    private static final Refused UNKNOWN_METHOD =
            new Refused(ReasonCode.BAD_AUTHENTICATION_METHOD, "the broker does not use its authentication method");

    private final Authentication authentication;
    private final LocalSessions sessions;
    private final SessionServices services;

    /** The service that admits all clients of a node. */
    public ConnectService(Authentication authentication, LocalSessions sessions, SessionServices services) {
        this.authentication = authentication;
        this.sessions = sessions;
        this.services = services;
    }

    /** A CONNECT, and the id that was assigned to a client without one. */
    private record Request(
            Connection connection,
            ConnectPacket packet,
            @Nullable String assignedClientId,
            Consumer<ClientConnection> established) {}

    /**
     * Handles a client's CONNECT. Event loop only.
     *
     * @param challenged receives the exchange, on the event loop, whenever the client must answer a challenge: with the next packet of the
     *     client, or when the connection is lost or the client is silent for too long. For clients with an authentication method only
     * @param established receives the connection, on the event loop, after CONNACK was sent. Not called when the client is refused (then it
     *     has got its CONNACK and the connection is being closed) or has lost its connection
     */
    public void connect(
            Connection connection,
            ConnectPacket packet,
            Consumer<AuthExchange> challenged,
            Consumer<ClientConnection> established) {
        connection.eventLoop().assertCurrent();
        Refused refusal = refusal(packet);
        if (refusal != null) {
            services.answers().refuse(connection, packet, refusal);
            return;
        }
        String assigned = packet.clientId().isEmpty() ? "heddle-" + UUID.randomUUID() : null;
        Request request = new Request(connection, packet, assigned, established);
        ClientId clientId = new ClientId(assigned != null ? assigned : packet.clientId());
        Refused unwanted = services.blocked().refusal(clientId, null, connection.remoteAddress());
        if (unwanted == null) {
            unwanted = authentication.refusal(connection.remoteAddress());
        }
        if (unwanted != null) {
            services.answers().refuse(connection, packet, unwanted);
            return;
        }
        String method = packet.properties().authenticationMethod();
        ConnectCredentials shown = new ConnectCredentials(
                clientId,
                packet.userName(),
                // An exchange does not need it, and lasts as long as the connection.
                method == null ? packet.password() : null,
                connection.remoteAddress(),
                connection::isGone,
                true,
                connection.certificate(),
                connection.listener());
        if (method == null) {
            authentication.authenticate(
                    shown, connection.eventLoop(), outcome -> authenticated(request, null, outcome));
        } else {
            exchange(request, method, shown, challenged);
        }
    }

    private void exchange(Request request, String method, ConnectCredentials shown, Consumer<AuthExchange> challenged) {
        EnhancedMethod.Exchange exchange = authentication.begin(method, shown.listener());
        if (exchange == null) {
            // [MQTT-4.12.0-1]
            services.answers().refuse(request.connection(), request.packet(), UNKNOWN_METHOD);
            return;
        }
        new AuthExchange(
                        request.connection(),
                        method,
                        exchange,
                        authentication,
                        shown,
                        challenged,
                        (signIn, outcome) -> authenticated(request, signIn, outcome))
                .proceed(request.packet().properties().authenticationData());
    }

    private @Nullable Refused refusal(ConnectPacket packet) {
        if (packet.clientId().isEmpty()) {
            // MQTT 3.1 has no assigned ids; 3.1.1 has them for clean sessions only [MQTT-3.1.3-8].
            boolean mayBeAssigned =
                    packet.version() != MqttVersion.V3_1 && (packet.cleanStart() || packet.version() == MqttVersion.V5);
            return mayBeAssigned
                    ? null
                    : new Refused(
                            ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                            "the client id is empty, which this version of MQTT allows for clean sessions only, or not"
                                    + " at all");
        }
        if (ControlCharacters.in(packet.clientId())) {
            return new Refused(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID, "the client id contains control characters");
        }
        if (packet.clientId().startsWith(ClientId.ADMINISTRATOR_PREFIX)) {
            // Otherwise a client could publish under the name of an administrator.
            return new Refused(
                    ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                    "client ids that begin with " + ClientId.ADMINISTRATOR_PREFIX + " belong to administrators");
        }
        WillMessage will = packet.will();
        if (will == null) {
            return null;
        }
        return services.settings().topics().isOpenToPublishers(will.topic())
                ? null
                : new Refused(ReasonCode.NOT_AUTHORIZED, "clients may not publish to the topic of the will");
    }

    private void authenticated(Request request, @Nullable AuthExchange signIn, AuthenticationOutcome outcome) {
        Connection connection = request.connection();
        String clientId = request.packet().clientId();
        String userName = signIn == null ? request.packet().userName() : signIn.userName();
        if (connection.isGone() || outcome.equals(AuthExchange.LEFT)) {
            services.answers().gone(connection, clientId, userName);
            return;
        }
        switch (outcome) {
            // [MQTT-4.12.0-4]
            case Refused refused -> services.answers().refuse(connection, clientId, userName, refused);
            case Accepted accepted -> accepted(request, signIn, accepted);
        }
    }

    private void accepted(Request request, @Nullable AuthExchange signIn, Accepted accepted) {
        Connection connection = request.connection();
        ClientIdentity identity = accepted.identity();
        Refused blocked =
                services.blocked().refusal(identity.clientId(), identity.userName(), connection.remoteAddress());
        if (blocked != null) {
            services.answers().refuse(connection, identity, blocked.reason(), blocked.detail());
            return;
        }
        ClientRules rules = new ClientRules(
                services.settings().topics().rules(),
                new RuleSubject(
                        identity.clientId(),
                        identity.userName(),
                        accepted.attributes(),
                        accepted.groups(),
                        connection.remoteAddress()),
                sessions.decisions().of(connection.eventLoop()));
        WillMessage will = request.packet().will();
        if (will != null && !rules.mayPublishWill(will.topic(), will.qos(), will.retain())) {
            services.answers()
                    .refuse(
                            connection,
                            identity,
                            ReasonCode.NOT_AUTHORIZED,
                            "a rule, or the default of the rules, denies the will");
            return;
        }
        new ConnectAttempt(
                        connection,
                        request.packet(),
                        request.assignedClientId(),
                        accepted,
                        signIn,
                        rules,
                        request.established(),
                        sessions,
                        services)
                .start();
    }
}

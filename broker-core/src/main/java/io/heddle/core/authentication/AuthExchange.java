package io.heddle.core.authentication;

import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One exchange of enhanced authentication with a client (MQTT 5.0, section 4.12), behind CONNECT or to authenticate a connected client again.
 * Owned by the event loop of the connection; the steps run on virtual threads.
 *
 * <p>States: deciding (a step runs, or waits for its turn) → awaiting (the client has got a challenge) → deciding ... → over (the outcome is
 * known, or the client has left). Failures:
 *
 * <ul>
 *   <li>The client sends AUTH unasked, with another method or another reason code, or another packet before CONNACK: a protocol error.
 *   <li>It leaves while it is awaited: over at once, with {@link #LEFT}. While a step runs: over when the step has its outcome.
 *   <li>It is silent: before CONNACK the transport limits the time for its answer, afterwards {@code IdentityProof} does.
 *   <li>The method goes on to challenge: refused after {@value #MAXIMUM_CHALLENGES}.
 *   <li>A challenge exceeds the client's Maximum Packet Size: refused.
 * </ul>
 */
public final class AuthExchange {
    /** The outcome for a client that has left. */
    public static final Refused LEFT =
            new Refused(ReasonCode.UNSPECIFIED_ERROR, "the client has left during the exchange");

    private static final int MAXIMUM_CHALLENGES = 10;

    private final Connection connection;
    private final String method;
    // Null when it is over: this object may live as long as the connection.
    private EnhancedMethod.@Nullable Exchange exchange;
    private final Authentication authentication;
    private final ConnectCredentials shown;
    private final Consumer<AuthExchange> challenged;
    private final BiConsumer<AuthExchange, AuthenticationOutcome> decided;
    private ConnectCredentials client;
    private int challenges;
    private boolean awaiting;

    /**
     * An exchange that has not begun.
     *
     * @param shown what the client has shown in CONNECT
     * @param challenged called when the client must answer a challenge
     * @param decided receives the outcome, once
     */
    public AuthExchange(
            Connection connection,
            String method,
            EnhancedMethod.Exchange exchange,
            Authentication authentication,
            ConnectCredentials shown,
            Consumer<AuthExchange> challenged,
            BiConsumer<AuthExchange, AuthenticationOutcome> decided) {
        this.connection = connection;
        this.method = method;
        this.exchange = exchange;
        this.authentication = authentication;
        this.shown = shown;
        this.client = shown;
        this.challenged = challenged;
        this.decided = decided;
    }

    /** Creates an exchange of the same client and method; returns null if its listener does not have the method any more. */
    public @Nullable AuthExchange another(
            Consumer<AuthExchange> nextChallenged, BiConsumer<AuthExchange, AuthenticationOutcome> nextDecided) {
        EnhancedMethod.Exchange next = authentication.begin(method, shown.listener());
        return next == null
                ? null
                : new AuthExchange(connection, method, next, authentication, shown, nextChallenged, nextDecided);
    }

    /** The user name that the client claims, or null. */
    public @Nullable String userName() {
        return client.userName();
    }

    /** Passes data of the client to the method. */
    public void proceed(@Nullable BinaryData data) {
        awaiting = false;
        EnhancedMethod.Exchange open = Objects.requireNonNull(exchange, "the exchange is not over");
        authentication.proceed(open, client, data, connection.eventLoop(), this::onChallenge, this::decide);
    }

    private void decide(AuthenticationOutcome outcome) {
        exchange = null;
        decided.accept(this, outcome);
    }

    private void onChallenge(EnhancedMethod.Challenge challenge) {
        client = client.claiming(challenge.userName());
        if (connection.isGone()) {
            decide(LEFT);
        } else if (++challenges > MAXIMUM_CHALLENGES) {
            decide(new Refused(ReasonCode.NOT_AUTHORIZED, "the exchange has too many steps"));
        } else if (!connection.send(packet(ReasonCode.CONTINUE_AUTHENTICATION, challenge.data()))
                && connection.isOpen()) {
            decide(new Refused(
                    ReasonCode.PACKET_TOO_LARGE, "a challenge exceeds the Maximum Packet Size of the client"));
        } else {
            awaiting = true;
            challenged.accept(this);
        }
    }

    /** An AUTH packet of this method. [MQTT-4.12.0-2] [MQTT-4.12.0-5] */
    public AuthPacket packet(ReasonCode reason, @Nullable BinaryData data) {
        return new AuthPacket(reason, method, data, null, List.of());
    }

    // From the client.

    /**
     * Handles a packet that the client has sent before CONNACK. Event loop only.
     *
     * @throws ProtocolException for a packet that the client may not send now; the caller answers it and closes the connection
     */
    public void receive(MqttPacket packet) {
        connection.eventLoop().assertCurrent();
        switch (packet) {
            case AuthPacket answer -> receive(answer);
            case DisconnectPacket _ -> leave();
            // [MQTT-3.1.2-30]
            default -> throw protocolError("another packet than AUTH or DISCONNECT before CONNACK");
        }
    }

    /** @throws ProtocolException if the client may not send it now */
    public void receive(AuthPacket packet) {
        if (!awaiting) {
            throw protocolError("AUTH without a challenge");
        }
        require(packet, ReasonCode.CONTINUE_AUTHENTICATION); // [MQTT-4.12.0-3]
        proceed(packet.authenticationData());
    }

    /** @throws ProtocolException if the packet has another reason code, or another method than CONNECT */
    public void require(AuthPacket packet, ReasonCode reason) {
        if (packet.reason() != reason) {
            throw protocolError("AUTH with the reason code " + packet.reason().tag());
        }
        if (!method.equals(packet.authenticationMethod())) {
            throw protocolError("AUTH with another authentication method than CONNECT"); // [MQTT-4.12.0-5]
        }
    }

    public static ProtocolException protocolError(String detail) {
        return new ProtocolException(ReasonCode.PROTOCOL_ERROR, detail);
    }

    /** The network connection is lost before CONNACK. Event loop only. */
    public void onConnectionLost() {
        connection.eventLoop().assertCurrent();
        leave();
    }

    private void leave() {
        if (awaiting) {
            awaiting = false;
            decide(LEFT);
        }
    }
}

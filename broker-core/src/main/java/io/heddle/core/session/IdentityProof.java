package io.heddle.core.session;

import io.heddle.core.authentication.AuthExchange;
import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.Connection;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.session.subscribe.SessionHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The proof of a connected client's identity: its end, and its renewal by re-authentication (MQTT 5.0, section 4.12.1). Owned by the event
 * loop of the connection. Bounds: one exchange, two timers.
 *
 * <p>States: proven → exchanging (the client goes on under the identity that it has proved) → proven, or failed (the client is disconnected).
 * A renewal must prove the same identity. It replaces the end of the earlier proof, and groups and attributes with their rules.
 */
final class IdentityProof {
    /** The time to answer a challenge, as long as a new connection has for its CONNECT by default. */
    static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    private final SessionHandle session;
    private final ClientIdentity identity;
    private final Consumer<ClientIdentity> renewed;
    private final Connection connection;
    private final SessionServices services;
    private final BiConsumer<ReasonCode, DisconnectCause> end;
    // The exchange behind CONNECT; null if the client has signed in without one.
    private final @Nullable AuthExchange signIn;
    // Null if the proof does not end.
    private @Nullable Validity validity;
    private @Nullable AuthExchange exchange;
    private EventLoop.@Nullable Timer answerTimer;
    private boolean stopped;

    /**
     * The proof of a client that has got CONNACK.
     *
     * @param renewed receives the identity that each renewal has proved
     * @param validUntil null if it does not end
     * @param end disconnects the client, with the reason and the cause
     */
    IdentityProof(
            SessionHandle session,
            ClientIdentity identity,
            Consumer<ClientIdentity> renewed,
            Connection connection,
            @Nullable AuthExchange signIn,
            @Nullable Instant validUntil,
            BiConsumer<ReasonCode, DisconnectCause> end,
            SessionServices services) {
        this.session = session;
        this.identity = identity;
        this.renewed = renewed;
        this.connection = connection;
        this.signIn = signIn;
        this.end = end;
        this.services = services;
        limit(validUntil);
    }

    private void limit(@Nullable Instant validUntil) {
        if (validity != null) {
            validity.stop();
        }
        validity = validUntil == null ? null : new Validity(connection.eventLoop(), services.clock(), validUntil, end);
    }

    /**
     * Begins or continues a re-authentication.
     *
     * @param proof null if the client has signed in without an exchange, for any time
     * @throws ProtocolException if the client may not send the packet now
     */
    static void receive(@Nullable IdentityProof proof, AuthPacket packet) {
        AuthExchange signIn = proof == null ? null : proof.signIn;
        if (proof == null || signIn == null) {
            // [MQTT-4.12.0-7]
            throw AuthExchange.protocolError("AUTH without an authentication method in CONNECT");
        }
        proof.receive(packet, signIn);
    }

    private void receive(AuthPacket packet, AuthExchange first) {
        AuthExchange current = exchange;
        if (current != null) {
            current.receive(packet);
            stopAnswerTimer();
            return;
        }
        first.require(packet, ReasonCode.RE_AUTHENTICATE); // [MQTT-4.12.1-1]
        AuthExchange next = first.another(this::onChallenged, this::onDecided);
        if (next == null) {
            fail("method", ReasonCode.NOT_AUTHORIZED, "its listener does not have the method any more");
            return;
        }
        exchange = next;
        next.proceed(packet.authenticationData());
    }

    private void onChallenged(AuthExchange challenged) {
        if (!stopped) {
            answerTimer = connection
                    .eventLoop()
                    .schedule(
                            ANSWER_LIMIT,
                            () -> fail("timeout", ReasonCode.NOT_AUTHORIZED, "the client has not answered in time"));
        }
    }

    private void onDecided(AuthExchange decided, AuthenticationOutcome outcome) {
        if (stopped || !connection.isOpen()) {
            return;
        }
        exchange = null;
        switch (outcome) {
            case Refused refused -> fail(refused.reason().tag(), refused.reason(), refused.detail());
            case Accepted accepted
            when !isSame(accepted.identity()) ->
                fail("other_identity", ReasonCode.NOT_AUTHORIZED, "the client has proved another identity");
            case Accepted accepted -> {
                services.metrics().reauthenticated("accepted");
                renew(accepted);
                connection.send(decided.packet(ReasonCode.SUCCESS, accepted.data()));
            }
        }
    }

    /** The credentials may have changed. */
    private boolean isSame(ClientIdentity proven) {
        return Objects.equals(proven.userName(), identity.userName())
                && proven.type() == identity.type()
                && proven.ownsClientId() == identity.ownsClientId();
    }

    private void renew(Accepted accepted) {
        renewed.accept(accepted.identity());
        limit(accepted.validUntil());
        if (session.rules().change(accepted.attributes(), accepted.groups())) {
            var _ = services.subscribeService().applyRules(session);
            session.outbox().endPause();
        }
    }

    /** Disconnects the client [MQTT-4.12.1-2]. */
    private void fail(String outcome, ReasonCode reason, String detail) {
        services.metrics().reauthenticated(outcome);
        ReasonCode sent = switch (reason) {
            case SERVER_BUSY, SERVER_UNAVAILABLE -> ReasonCode.SERVER_BUSY;
            case PACKET_TOO_LARGE -> reason;
            default -> ReasonCode.NOT_AUTHORIZED;
        };
        end.accept(sent, DisconnectCause.byServer(sent, "the re-authentication has failed: " + detail));
    }

    private void stopAnswerTimer() {
        if (answerTimer != null) {
            answerTimer.cancel();
            answerTimer = null;
        }
    }

    /** The connection has ended. */
    void stop() {
        stopped = true;
        stopAnswerTimer();
        if (validity != null) {
            validity.stop();
        }
    }
}

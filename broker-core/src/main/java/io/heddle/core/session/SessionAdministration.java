package io.heddle.core.session;

import io.heddle.core.authorization.Explanation;
import io.heddle.core.authorization.decision.ClientRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.PastMessages.Remembered;
import io.heddle.core.client.Rates;
import io.heddle.core.client.RecentRefusals.Refusal;
import io.heddle.core.client.activity.Activity;
import io.heddle.core.client.activity.Ranking;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.outbound.Drops;
import io.heddle.core.session.outbound.Outbox;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.subscription.MatchingSubscriptions;
import io.heddle.core.subscription.Subscription;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What administrators see and do with the sessions of this node, and with the sessions of clients of any node. Thread-safe: each method
 * goes to the event loop of the session. Has no state.
 */
public final class SessionAdministration {
    private final LocalSessions sessions;
    private final SessionServices services;

    public SessionAdministration(LocalSessions sessions) {
        this.sessions = sessions;
        this.services = sessions.services();
    }

    /** The result of {@link #end}. */
    public sealed interface Ended {
        /** The client has no session any more. The end is durable. */
        record Done() implements Ended {}

        /**
         * The session may or may not have ended.
         *
         * @param detail one clause for a person
         */
        record Unknown(String detail) implements Ended {}

        /** The client has connected since it was found away. Its session goes on. */
        record Connected() implements Ended {}
    }

    /** Returns the state of a session; completes with null if the client is not connected to this node. */
    public CompletionStage<@Nullable SessionDetails> details(ClientId clientId) {
        return onLoop(clientId, SessionAdministration::details);
    }

    /**
     * The facts that decide at one moment whether a connected client gets the messages on a topic.
     *
     * @param rules why the client may receive them, or may not
     * @param isIdle whether a further QoS 1 or 2 message is sent at once
     * @param isReading false while unsent output for the client exceeds its watermark
     * @param isPaused whether a limit of the rules delays messages for the client
     * @param inFlight messages that were sent and are not acknowledged
     * @param maximumInFlight the send quota
     * @param waiting QoS 1 and 2 messages that wait in the memory of the node
     */
    public record DeliveryCheck(
            MatchingSubscriptions subscriptions,
            Explanation rules,
            boolean isIdle,
            boolean isReading,
            boolean isPaused,
            int inFlight,
            int maximumInFlight,
            long waiting) {}

    /** Returns what decides about messages on a topic for a client; completes with null if it is not connected to this node. */
    public CompletionStage<@Nullable DeliveryCheck> check(ClientId clientId, TopicName topic, QoS qos) {
        return onLoop(clientId, session -> check(session, topic, qos));
    }

    private static DeliveryCheck check(ClientSession session, TopicName topic, QoS qos) {
        PersistentSession persistent = session.persistent();
        Map<String, Subscription> own =
                persistent == null ? session.subscriptions().transientSubscriptions() : persistent.subscriptions();
        Outbox outbox = session.outbox();
        ClientConnection connection = session.connection();
        ClientRules rules = session.rules();
        MatchingSubscriptions found = MatchingSubscriptions.of(own == null ? List.of() : own.values(), topic);
        return new DeliveryCheck(
                found,
                rules.under(rules.rules()).explainReceive(topic, qos.min(found.qos())),
                outbox.isIdle(),
                connection != null && connection.connection().isWritable(),
                outbox.isPaused(),
                outbox.inFlight(),
                outbox.maximumInFlight(),
                outbox.waitingInMemory());
    }

    /** Returns the latest messages that a client has missed, or was sent, at this node; null if none are remembered. */
    public @Nullable Remembered pastMessages(ClientId clientId) {
        return services.metrics().incidents().pastMessages().remembered(clientId);
    }

    /** Returns the connections of a client to this node that it has closed lately by connecting again, repeatedly. */
    public List<Refusal> takeovers(ClientId clientId) {
        return services.metrics().incidents().recent().takeovers(clientId);
    }

    /** Returns the last disconnection of a client from this node; null if there was none for a day. */
    public @Nullable Disconnection lastDisconnection(ClientId clientId) {
        return services.disconnections().find(clientId, services.clock().millis());
    }

    /** Returns the clients and topics of this node with the most messages, bytes, drops and connections. */
    public CompletionStage<Map<Ranking, Rates>> activity() {
        Rates drops = services.metrics()
                .incidents()
                .pastMessages()
                .perSecond(services.clock().millis());
        return services.metrics()
                .activity()
                .rates()
                .thenApply(rates -> Activity.sum(rates, Map.of(Ranking.CLIENT_DROPS, drops)));
    }

    private static SessionDetails details(ClientSession session) {
        Outbox outbox = session.outbox();
        Drops drops = outbox.drops();
        return new SessionDetails(
                subscriptions(session),
                outbox.inFlight(),
                outbox.waitingInMemory(),
                outbox.waitingBytes(),
                drops.count(),
                drops.reason(),
                drops.latestMillis(),
                outbox.maximumInFlight(),
                outbox.capacity());
    }

    /** Returns the number of the subscriptions of a session. On its event loop. */
    public static int subscriptions(ClientSession session) {
        PersistentSession persistent = session.persistent();
        Map<String, Subscription> own = session.subscriptions().transientSubscriptions();
        return persistent != null ? persistent.subscriptions().size() : own == null ? 0 : own.size();
    }

    /**
     * Returns the subscriptions of a session that ends with its connection, in the order of their filters; completes with null if the client
     * is not connected to this node, or has a persistent session.
     *
     * @param after the last filter of the page before, or null
     */
    public CompletionStage<@Nullable List<Subscription>> transientSubscriptions(
            ClientId clientId, @Nullable String after, int limit) {
        return onLoop(clientId, session -> {
            Map<String, Subscription> own = session.subscriptions().transientSubscriptions();
            return session.persistent() != null ? null : own == null ? List.of() : page(own, after, limit);
        });
    }

    /** Returns the first subscriptions behind a filter, in the order of their filters. Goes through all of them once. */
    public static List<Subscription> page(Map<String, Subscription> all, @Nullable String after, int limit) {
        Comparator<Subscription> byFilter =
                Comparator.comparing(each -> each.topicFilter().value());
        PriorityQueue<Subscription> lowest = new PriorityQueue<>(byFilter.reversed());
        for (Subscription each : all.values()) {
            if (after == null || each.topicFilter().value().compareTo(after) > 0) {
                lowest.add(each);
                if (lowest.size() > limit) {
                    lowest.remove();
                }
            }
        }
        return lowest.stream().sorted(byFilter).toList();
    }

    /**
     * Closes the connection of a client to this node. A client of MQTT 5.0 gets DISCONNECT with the reason. The will of the client is due, as
     * after each end of a connection that the client has not asked for.
     *
     * @param reason an error code of DISCONNECT
     * @return completes with false if the client is not connected to this node
     */
    public CompletionStage<Boolean> disconnect(ClientId clientId, ReasonCode reason) {
        return this.<Boolean>onLoop(clientId, session -> {
                    session.disconnect(reason);
                    return true;
                })
                .thenApply(found -> found != null);
    }

    private <T> CompletionStage<@Nullable T> onLoop(ClientId clientId, Function<ClientSession, @Nullable T> task) {
        ClientSession session = sessions.find(clientId);
        if (session == null) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<@Nullable T> result = new CompletableFuture<>();
        session.eventLoop().execute(() -> {
            try {
                result.complete(session.isConnected() ? task.apply(session) : null);
            } catch (RuntimeException fault) {
                result.completeExceptionally(fault);
            }
        });
        return result;
    }

    /**
     * Ends the session of a client, with its queue or log, wherever the client is connected. A connection is closed; a will that waits is
     * published. Like a CONNECT with Clean Start from a connection that is lost at once.
     *
     * @return completes within ten seconds, when the end is durable or its outcome is unknown
     */
    public CompletionStage<Ended> end(ClientId clientId) {
        return end(clientId, OpenRequest.ANY_EPOCH);
    }

    /** Ends the session of a client like {@link #end(ClientId)}, unless the client has connected since this record of its session. */
    public CompletionStage<Ended> endIfAway(ClientId clientId, SessionRecord away) {
        return end(clientId, away.epoch());
    }

    private CompletionStage<Ended> end(ClientId clientId, long awayEpoch) {
        // Credentials that name the client id may end the session of any user.
        ClientIdentity owner = new ClientIdentity(clientId, ClientType.DEVICE, null, true);
        OpenRequest request = new OpenRequest(
                owner, null, true, 0, null, services.persistent().incarnation(), awayEpoch);
        return services.registrar().open(request).thenApply(outcome -> ended(clientId, outcome));
    }

    private Ended ended(ClientId clientId, OpenOutcome outcome) {
        return switch (outcome) {
            case OpenOutcome.Transient registered -> {
                var _ = services.registrar().leave(Departure.ofTransient(clientId, registered.number()));
                yield new Ended.Done();
            }
            case OpenOutcome.Refused refused when refused == OpenOutcome.Refused.CONNECTED -> new Ended.Connected();
            // Only the next session has no room.
            case OpenOutcome.Refused _ -> new Ended.Done();
            case OpenOutcome.Opened opened -> {
                var _ = services.registrar().leave(Departure.unanswered(clientId, opened, 0));
                yield new Ended.Unknown("the client has connected again");
            }
            case OpenOutcome.Unavailable unavailable -> new Ended.Unknown(unavailable.detail());
            case OpenOutcome.Moved _ -> new Ended.Unknown("another node is about to decide about the client");
        };
    }
}

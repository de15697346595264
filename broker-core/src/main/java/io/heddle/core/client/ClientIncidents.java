package io.heddle.core.client;

import io.heddle.core.Limit;
import io.heddle.core.LogRateLimit;
import io.heddle.core.RemoteNetwork;
import io.heddle.core.client.IncidentLines.Event;
import io.heddle.core.client.RecentRefusals.Kind;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.SocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why clients are refused or disconnected, or miss messages. Each line names the client. Of each kind and cause, a client gets one line a
 * minute. All clients together get {@value IncidentLines#MAXIMUM} of each kind; the next line tells how many were suppressed. Text from clients
 * is shortened, and characters that could forge a line are escaped. Thread-safe. Bound: one {@link LogRateLimit} for each kind; the reason code,
 * the setting or the listener tells the kinds of one event apart.
 *
 * <p>Keeps them as {@link RecentRefusals}, too, without limit in time. Metric: {@code heddle.limits.refusals{setting}}.
 */
public final class ClientIncidents {
    private final Logger log;
    private final MeterRegistry metrics;
    private final IncidentLines lines;
    private final ConcurrentMap<String, Counter> refusals = new ConcurrentHashMap<>();
    private final ClientEvents events = new ClientEvents();
    private final RecentRefusals recent = new RecentRefusals(InstantSource.system(), events);
    private final Takeovers takeovers;

    /**
     * Who a connected client is.
     *
     * @param userName its authenticated user name; null if it has none
     */
    public record Origin(@Nullable String userName, SocketAddress address) {}

    /** @param nanoTime the monotonic clock, in nanoseconds */
    public ClientIncidents(LongSupplier nanoTime, MeterRegistry metrics) {
        this(LoggerFactory.getLogger(ClientIncidents.class), nanoTime, metrics);
    }

    public ClientIncidents(Logger log, LongSupplier nanoTime, MeterRegistry metrics) {
        this.log = log;
        this.lines = new IncidentLines(nanoTime);
        this.takeovers = new Takeovers(nanoTime);
        this.metrics = metrics;
    }

    /**
     * Names clients by their user names and addresses from now on, if only the client id is known.
     *
     * @param lookup returns null for a client that is not connected to this node; called on any thread
     */
    public void lookUp(Function<ClientId, @Nullable Origin> lookup) {
        events.lookUp(lookup);
    }

    /** Returns what an administrator may watch. */
    public ClientEvents events() {
        return events;
    }

    /** Returns what was refused last. */
    public RecentRefusals recent() {
        return recent;
    }

    /** Returns what became of the latest messages for some of the clients. */
    public PastMessages pastMessages() {
        return events.pastMessages();
    }

    /** Keeps the refusal of something to a connected client. */
    private void keep(Kind kind, String reason, String detail, ClientId clientId) {
        Origin origin = events.origin(clientId);
        recent.add(
                kind,
                reason,
                detail,
                clientId.value(),
                origin == null ? null : origin.userName(),
                origin == null ? null : origin.address());
    }

    /**
     * A client exceeds a limit.
     *
     * @param refused what it was refused, in one phrase without text of the client
     */
    public void refused(Limit limit, String refused, ClientId clientId) {
        keep(Kind.LIMIT, limit.setting(), refused, clientId);
        boolean _ = exceeded(limit, refused, clientId);
    }

    /**
     * A connection exceeds a limit.
     *
     * @param refused what it was refused, in one phrase with text of the client only as a value behind "="
     * @param clientId the id that the client has sent, perhaps without proof of its identity; empty if it is unknown
     * @param userName the user name of the client; null if it is unknown or there is none
     */
    public void refused(
            Limit limit, String refused, String clientId, @Nullable String userName, @Nullable SocketAddress address) {
        count(limit);
        recent.add(Kind.LIMIT, limit.setting(), refused, clientId, userName, address);
        long suppressed =
                lines.acquire(Event.LIMIT, limit.setting(), IncidentLines.subject(clientId, address, refused));
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log(limit, refused, LogValue.client(clientId, userName, address), suppressed);
        }
    }

    /**
     * A message for a client is lost because of a limit, or a client is slowed down. Cheap, because a full queue can lose many: it is kept as
     * a refusal only if it is logged.
     *
     * @param lost the message, in one phrase without text of the client
     */
    public void overflowed(Limit limit, String lost, ClientId clientId) {
        if (exceeded(limit, lost, clientId)) {
            keep(Kind.LIMIT, limit.setting(), lost, clientId);
        }
    }

    private boolean exceeded(Limit limit, String refused, ClientId clientId) {
        count(limit);
        long suppressed = lines.acquire(Event.LIMIT, limit.setting(), IncidentLines.subject(clientId.value(), refused));
        boolean isLogged = suppressed != LogRateLimit.SUPPRESSED;
        if (isLogged) {
            log(limit, refused, described(clientId), suppressed);
        }
        return isLogged;
    }

    private void log(Limit limit, String refused, String client, long suppressed) {
        log.info(
                "A client exceeds a limit (change the setting if the client needs more): setting={}, limit={},"
                        + " refused={}, {}{}",
                limit.setting(),
                limit.value(),
                refused,
                client,
                end(suppressed));
    }

    private void count(Limit limit) {
        Counter counter = refusals.get(limit.setting());
        if (counter == null) {
            counter = refusals.computeIfAbsent(
                    limit.setting(), setting -> metrics.counter("heddle.limits.refusals", "setting", setting));
        }
        counter.increment();
    }

    /**
     * @param detail one clause for the operator
     * @param clientId as sent, perhaps without proof of the client's identity; may be empty
     * @param userName as sent; null if there is none
     */
    public void connectRefused(
            ReasonCode reason, String detail, String clientId, @Nullable String userName, Connection connection) {
        recent.add(Kind.CONNECT, reason.tag(), detail, clientId, userName, connection.remoteAddress());
        long suppressed = lines.acquire(
                Event.REFUSAL, reason.tag(), IncidentLines.subject(clientId, connection.remoteAddress(), detail));
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info(
                    "Refused CONNECT: reason={}, detail={}, {}, listener={}{}",
                    reason.tag(),
                    ControlCharacters.escaped(detail),
                    LogValue.client(clientId, userName, connection.remoteAddress()),
                    connection.listener(),
                    end(suppressed));
        }
    }

    /**
     * A message for a client, or from it, was dropped.
     *
     * @param reason the tag of {@code heddle.messages.dropped}
     * @param detail one clause for the operator, without text of the client
     */
    public void dropped(String reason, String detail, ClientId clientId) {
        long suppressed = lines.acquire(Event.DROP, reason, IncidentLines.subject(clientId.value(), detail));
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info(
                    "Dropped a message: reason={}, detail={}, {}{}",
                    reason,
                    detail,
                    described(clientId),
                    end(suppressed));
        }
    }

    /**
     * A message of a client was not authorized.
     *
     * @param detail one clause for the operator, without text of the client
     */
    public void publishDenied(String topic, String detail, ClientId clientId) {
        keep(Kind.PUBLISH, "not_authorized", detail + ": " + topic, clientId);
        dropped("not_authorized", detail, clientId);
    }

    /**
     * The rules deny a subscription to a client.
     *
     * @param filter as sent
     */
    public void subscriptionDenied(String filter, ClientId clientId) {
        keep(Kind.SUBSCRIBE, "not_authorized", filter, clientId);
        logDenial("The rules deny a subscription: filter=", filter, clientId);
    }

    private void logDenial(String text, String topic, ClientId clientId) {
        long suppressed = lines.acquire(Event.DENIAL, "", IncidentLines.subject(clientId.value(), ""));
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info("{}{}, {}{}", text, LogValue.of(topic), described(clientId), end(suppressed));
        }
    }

    /** Changed rules have removed these subscriptions of a client, at least one. */
    public void subscriptionsRevoked(List<String> filters, ClientId clientId) {
        events.revoked(filters, clientId);
        logDenial(
                "Subscriptions were removed, because the rules deny them: count=" + filters.size() + ", filter=",
                filters.getFirst(),
                clientId);
    }

    /** A will is not published, because the rules deny it. */
    public void willDenied(String topic, ClientId clientId) {
        keep(Kind.WILL, "not_authorized", topic, clientId);
        logDenial("A will is not published, because the rules deny it: topic=", topic, clientId);
    }

    /**
     * A client has connected again, which ends its earlier connection. If that repeats, it is kept as a refusal of the earlier connection.
     *
     * @param address of the earlier connection
     * @param newAddress of the new connection; null if that is at another node
     */
    public void takenOver(ClientIdentity identity, SocketAddress address, @Nullable SocketAddress newAddress) {
        String clientId = identity.clientId().value();
        if (takeovers.isRepeated(clientId)) {
            recent.add(
                    Kind.TAKEOVER,
                    ReasonCode.SESSION_TAKEN_OVER.tag(),
                    newAddress == null
                            ? "by a connection to another node"
                            : "by a connection from " + RemoteNetwork.host(newAddress),
                    clientId,
                    identity.userName(),
                    address);
        }
        long suppressed = lines.acquire(Event.TAKEOVER, "", clientId);
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info(
                    "A client has connected again, which closes its earlier connection (if this repeats, two clients"
                            + " use the same client id): {}, newAddress={}{}",
                    LogValue.client(clientId, identity.userName(), address),
                    newAddress == null ? "at another node" : newAddress,
                    end(suppressed));
        }
    }

    /**
     * A client has violated the protocol, and its connection is closed.
     *
     * @param detail one clause for the operator
     * @param clientId empty if it is unknown
     * @param userName the authenticated user name; null if it is unknown or there is none
     */
    public void violated(
            ReasonCode reason,
            String detail,
            String clientId,
            @Nullable String userName,
            @Nullable SocketAddress address,
            String listener) {
        recent.add(Kind.PROTOCOL, reason.tag(), detail, clientId, userName, address);
        long suppressed =
                lines.acquire(Event.VIOLATION, reason.tag(), IncidentLines.subject(clientId, address, detail));
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info(
                    "Disconnected a client that violates the protocol: reason={}, detail={}, {}, listener={}{}",
                    reason.tag(),
                    ControlCharacters.escaped(detail),
                    LogValue.client(clientId, userName, address),
                    listener,
                    end(suppressed));
        }
    }

    /**
     * A listener has closed a connection before CONNECT, because of another protocol or a wrong configuration.
     *
     * @param reason the tag of {@code heddle.listener.refused}
     * @param cause follows "because", with text of the client only as a value behind "="
     */
    public void closed(String reason, String cause, @Nullable SocketAddress address, String listener) {
        events.closed(reason, cause, address);
        long suppressed =
                lines.acquire(Event.CLOSE, listener + ' ' + reason, IncidentLines.subject("", address, cause));
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info(
                    "Connection closed because {}: {}, listener={}{}",
                    cause,
                    LogValue.client("", null, address),
                    listener,
                    end(suppressed));
        }
    }

    /** The connection of a client has ended. Ordinary ends, and those with another line, have none. */
    public void disconnected(ClientIdentity identity, SocketAddress address, String listener, DisconnectCause cause) {
        if (!cause.isLogged()) {
            return;
        }
        String clientId = identity.clientId().value();
        long suppressed =
                lines.acquire(Event.DISCONNECTION, cause.reason(), IncidentLines.subject(clientId, cause.detail()));
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info(
                    "The connection of a client has ended: reason={}, detail={}, {}, listener={}{}",
                    cause.reason(),
                    ControlCharacters.escaped(cause.detail()),
                    LogValue.client(clientId, identity.userName(), address),
                    listener,
                    end(suppressed));
        }
    }

    /**
     * A client has closed its connection after CONNECT and before CONNACK.
     *
     * @param clientId as sent; may be empty
     * @param userName as sent; null if there is none
     */
    public void gone(String clientId, @Nullable String userName, @Nullable SocketAddress address, String listener) {
        events.ended(clientId, userName, address, DisconnectCause.CLOSED_BY_CLIENT);
        long suppressed = lines.acquire(Event.GONE, "", IncidentLines.subject(clientId, address, ""));
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info(
                    "A client has closed its connection before CONNACK: {}, listener={}{}",
                    LogValue.client(clientId, userName, address),
                    listener,
                    end(suppressed));
        }
    }

    /**
     * Passwords from one network, or for one name, were wrong several times, so that refusals are delayed.
     *
     * @param network identifies the network
     * @param clientId as sent
     * @param userName as sent; null if there is none
     */
    public void signInsFail(String network, String clientId, @Nullable String userName, SocketAddress address) {
        long suppressed = lines.acquire(Event.FAILED_SIGN_INS, "", network);
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.warn(
                    "Sign-ins have failed repeatedly, so further refusals are delayed (a client may have a wrong"
                            + " password, or somebody guesses passwords): {}{}",
                    LogValue.client(clientId, userName, address),
                    end(suppressed));
        }
    }

    /** The number of clients in memory, for tests. */
    int subjects() {
        return lines.subjects();
    }

    private String described(ClientId clientId) {
        Origin origin = events.origin(clientId);
        return origin == null
                ? LogValue.client(clientId.value(), null, null)
                : LogValue.client(clientId.value(), origin.userName(), origin.address());
    }

    private static String end(long suppressed) {
        return suppressed == 0 ? "" : ", suppressed=" + suppressed;
    }
}

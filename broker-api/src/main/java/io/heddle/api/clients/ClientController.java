package io.heddle.api.clients;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.ClusterPage;
import io.heddle.api.page.EntityTags;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.client.AddressRange;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.ClientFilter;
import io.heddle.core.operator.client.ClientPage;
import io.heddle.core.operator.client.ClientQuery;
import io.heddle.core.operator.client.ClientState;
import io.heddle.core.operator.client.Clients;
import io.heddle.core.operator.client.SubscriptionEntry;
import io.heddle.core.operator.client.SubscriptionPage;
import io.heddle.core.session.SessionAdministration.Ended;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists the clients of all nodes, shows one, disconnects clients and ends sessions. */
@RestController
public final class ClientController {
    private static final String CLIENT_ID = "clientId";
    private static final int MAXIMUM_CLIENT_ID_LENGTH = 65_535;

    private static final ListRules CLIENTS = ListRules.of(
            List.of(CLIENT_ID, "-" + CLIENT_ID),
            CLIENT_ID,
            "clientIdPrefix",
            "userName",
            "address",
            "node",
            "state",
            "type",
            "connectedAfter",
            "connectedBefore",
            "awayBefore");
    private static final ListRules SUBSCRIPTIONS = ListRules.of(List.of("topicFilter"), CLIENT_ID);

    private final Node node;
    private final Audit audit;

    public ClientController(Node node, Audit audit) {
        this.node = node;
        this.audit = audit;
    }

    @GetMapping("/api/v1/clients")
    ClusterPage<ClientResponse> list(HttpServletRequest request) {
        ListRequest list = CLIENTS.parse(request.getParameterMap());
        ClientFilter filter = new ClientFilter(
                bounded(list, "clientIdPrefix"),
                bounded(list, CLIENT_ID),
                bounded(list, "userName"),
                address(list.text("address")),
                list.text("node"),
                list.choice("state", ClientState.class),
                list.choice("type", ClientType.class),
                millis(list.time("connectedAfter")),
                millis(list.time("connectedBefore")),
                millis(list.time("awayBefore")));
        ClientPage page = node.clients()
                .list(new ClientQuery(filter, list.after(), list.sort().isDescending(), list.limit()));
        String next = page.next();
        Page<ClientResponse> found = new Page<>(
                page.entries().stream().map(ClientResponse::of).toList(), next == null ? null : list.next(next));
        return ClusterPage.of(found, page.missingNodes());
    }

    /** A longer text is not the one of any client, and does not fit into a question to another node. */
    private static @Nullable String bounded(ListRequest list, String parameter) {
        String text = list.text(parameter);
        if (text != null && text.length() > ClientQuery.MAXIMUM_TEXT_LENGTH) {
            throw RequestProblem.invalid(parameter, "Use at most " + ClientQuery.MAXIMUM_TEXT_LENGTH + " characters.");
        }
        return text;
    }

    private static @Nullable AddressRange address(@Nullable String text) {
        try {
            return text == null ? null : AddressRange.parse(text);
        } catch (IllegalArgumentException _) {
            throw RequestProblem.invalid("address", "Use an address or a network such as 10.0.0.0/8 or fd00::/8.");
        }
    }

    static @Nullable Long millis(@Nullable Instant time) {
        if (time == null) {
            return null;
        }
        try {
            return time.toEpochMilli();
        } catch (ArithmeticException _) {
            // Far away: no client has connected then.
            return time.isBefore(Instant.EPOCH) ? 0 : Long.MAX_VALUE;
        }
    }

    @GetMapping("/api/v1/client")
    ClientDetailsResponse client(@RequestParam String clientId) {
        ClientId id = clientId(clientId);
        ClientDetails details = node.clients().find(id);
        ClientEntry client = details.client();
        if (client == null
                && (details.lastDisconnection() == null
                        || !details.missingNodes().isEmpty())) {
            throw unknown(details.missingNodes());
        }
        return ClientDetailsResponse.of(
                details, client == null ? null : StoredMessagesResponse.find(node, id, client.type()));
    }

    static ClientId clientId(String text) {
        if (text.isEmpty() || text.length() > MAXIMUM_CLIENT_ID_LENGTH) {
            throw RequestProblem.invalid(CLIENT_ID, "Use the id of a client.");
        }
        return new ClientId(text);
    }

    private static RequestProblem unknown(Collection<String> missingNodes) {
        return missingNodes.isEmpty()
                ? RequestProblem.notFound("There is no such client.")
                : RequestProblem.unknownOutcome("These nodes have not answered: "
                        + String.join(", ", new TreeSet<>(missingNodes))
                        + ". The client may be connected to one of them.");
    }

    /** Closes the connection of a client. Only a user with the role ADMIN may, as for all requests that change something. */
    @DeleteMapping("/api/v1/client/connection")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void disconnect(
            @RequestParam String clientId,
            @RequestParam(defaultValue = "152") int reasonCode,
            HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        ClientId id = clientId(clientId);
        ReasonCode reason = reason(reasonCode);
        audit.change(request, AuditAction.DISCONNECT_CLIENT, "client/connection?clientId=" + id, null, () -> {
            Clients.Disconnected closed = node.clients().disconnect(id, reason);
            if (closed.nodeId() == null && !closed.missingNodes().isEmpty()) {
                throw unknown(closed.missingNodes());
            }
            return Audited.nothing();
        });
    }

    private static ReasonCode reason(int code) {
        ReasonCode reason = code < 0 || code > 0xff ? null : ReasonCode.ofCode(code);
        if (reason == null || !DisconnectReasons.contains(reason)) {
            throw RequestProblem.invalid(
                    "reasonCode", "Use a reason code with which a server may disconnect a client: 128 to 162.");
        }
        return reason;
    }

    /** Ends the session of a client with its queue or log. The answer comes when the end is durable. */
    @DeleteMapping("/api/v1/client/session")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void endSession(@RequestParam String clientId, HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        ClientId id = clientId(clientId);
        audit.change(request, AuditAction.END_SESSION, "client/session?clientId=" + id, null, () -> {
            if (node.clients().endSession(id) instanceof Ended.Unknown(String detail)) {
                throw RequestProblem.unknownOutcome(
                        "The session may or may not have ended; repeat the request: " + detail + ".");
            }
            return Audited.nothing();
        });
    }

    @GetMapping("/api/v1/client/subscriptions")
    Page<SubscriptionResponse> subscriptions(@RequestParam String clientId, HttpServletRequest request) {
        ListRequest list = SUBSCRIPTIONS.parse(request.getParameterMap());
        Clients.ClientSubscriptions found =
                node.clients().subscriptions(clientId(clientId), list.after(), list.limit());
        SubscriptionPage page = found.page();
        if (page == null) {
            throw unknown(found.missingNodes());
        }
        String next = page.next();
        return new Page<>(
                page.entries().stream().map(SubscriptionResponse::of).toList(), next == null ? null : list.next(next));
    }

    /**
     * JSON representation of a subscription of a client.
     *
     * @param topicFilter begins with $share/ if the subscription is shared
     * @param qos granted, 0 to 2
     * @param subscriptionIdentifier null for none
     */
    record SubscriptionResponse(
            String topicFilter,
            int qos,
            boolean noLocal,
            boolean retainAsPublished,
            @Nullable Integer subscriptionIdentifier) {
        static SubscriptionResponse of(SubscriptionEntry subscription) {
            int identifier = subscription.identifier();
            return new SubscriptionResponse(
                    subscription.topicFilter(),
                    subscription.qos().level(),
                    subscription.noLocal(),
                    subscription.retainAsPublished(),
                    identifier == SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER ? null : Integer.valueOf(identifier));
        }
    }
}

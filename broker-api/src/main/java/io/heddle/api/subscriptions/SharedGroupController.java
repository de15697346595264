package io.heddle.api.subscriptions;

import io.heddle.api.clients.StoredMessagesResponse;
import io.heddle.api.page.Cursor;
import io.heddle.api.page.ItemQuestions;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.client.ClientId;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.ClientEntry.ClientLink;
import io.heddle.core.operator.client.Clients;
import io.heddle.core.operator.client.FilterPage;
import io.heddle.core.operator.client.NextMember;
import io.heddle.core.operator.client.SubscriberPage;
import io.heddle.core.operator.client.SubscriberPage.Subscriber;
import io.heddle.core.operator.client.SubscriberQuery;
import io.heddle.core.operator.client.SubscriberQuery.Position;
import io.heddle.core.session.SessionDetails;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists the shared subscriptions in use, and the members of one of them with their part in its messages. */
@RestController
public final class SharedGroupController {
    private static final String SHARED = "$share/";
    private static final String PREFIX = "shareNamePrefix";
    private static final String FILTER = "topicFilter";
    private static final int DEFAULT_MEMBERS = 20;
    // The nodes are asked about each member.
    private static final int MAXIMUM_MEMBERS = 50;

    private static final ListRules GROUPS = ListRules.of(List.of(FILTER), PREFIX);
    private static final ListRules MEMBERS =
            ListRules.of(List.of("clientId"), FILTER).withLimits(DEFAULT_MEMBERS, MAXIMUM_MEMBERS);

    private final Node node;

    public SharedGroupController(Node node) {
        this.node = node;
    }

    @GetMapping("/api/v1/shared-groups")
    GroupsResponse groups(HttpServletRequest request) {
        ListRequest list = GROUPS.parse(request.getParameterMap());
        String prefix = SHARED + Objects.requireNonNullElse(list.text(PREFIX), "");
        FilterPage page = node.clients().filters(new FilterPage.Query(prefix, list.after(), list.limit()));
        return new GroupsResponse(
                page.entries().stream().map(GroupResponse::of).toList(),
                page.next() == null ? null : list.next(page.next()),
                List.copyOf(new TreeSet<>(page.missingNodes())),
                page.isComplete());
    }

    @GetMapping("/api/v1/shared-groups/members")
    MembersResponse members(HttpServletRequest request) {
        ListRequest list = MEMBERS.parse(request.getParameterMap());
        TopicFilter filter = filter(list.text(FILTER));
        String after = list.after();
        if (after != null && after.isEmpty()) {
            throw Cursor.bad();
        }
        Clients clients = node.clients();
        SubscriberPage page = clients.subscribers(new SubscriberQuery(
                new SubscriberQuery.Of.Filter(filter),
                after == null ? null : new Position(after, filter.value()),
                list.limit()));
        Set<String> missing = new TreeSet<>(page.missingNodes());
        Map<String, Found> members = ItemQuestions.ask(
                page.entries().stream().map(Subscriber::clientId).toList(), each -> find(new ClientId(each)));
        List<MemberResponse> items = new ArrayList<>();
        for (Subscriber each : page.entries()) {
            Found found = Objects.requireNonNull(members.get(each.clientId()));
            missing.addAll(found.details().missingNodes());
            items.add(MemberResponse.of(each, found));
        }
        Position next = page.next();
        return new MembersResponse(
                items,
                clients.nextMember(filter),
                next == null ? null : list.next(next.clientId()),
                List.copyOf(missing),
                page.isComplete());
    }

    /**
     * A member of a shared subscription.
     *
     * @param stored null if the client has no persistent session, or the store does not answer
     */
    record Found(ClientDetails details, @Nullable StoredMessagesResponse stored) {
        /** Returns the messages that wait in the memory of the node, and in the queue or log behind those in flight; null if it is unknown. */
        @Nullable
        Long waiting(boolean isPersistent) {
            SessionDetails session = details.session();
            if (stored != null) {
                return Math.max(0, stored.messages() - (session == null ? 0 : session.inFlight()));
            }
            return session == null || isPersistent ? null : Long.valueOf(session.waitingMessages());
        }
    }

    private Found find(ClientId clientId) {
        ClientDetails details = node.clients().find(clientId);
        ClientEntry client = details.client();
        return new Found(details, client == null ? null : StoredMessagesResponse.find(node, clientId, client.type()));
    }

    private static TopicFilter filter(@Nullable String text) {
        try {
            // The broker may have allowed more levels before than it allows now.
            TopicFilter filter = text == null ? null : TopicFilter.parse(text, Integer.MAX_VALUE);
            if (filter != null && filter.isShared()) {
                return filter;
            }
        } catch (ProtocolException _) {
            // Answered below.
        }
        throw RequestProblem.invalid(FILTER, "Give a shared subscription such as $share/group/a/#.");
    }

    /**
     * A part of the list of shared subscriptions.
     *
     * @param items in the order of their filters
     * @param next the cursor of the next part; null at the end of the list
     * @param missingNodes ids of members that did not answer
     * @param complete false if there are so many subscriptions that some were not examined
     */
    record GroupsResponse(
            List<GroupResponse> items, @Nullable String next, List<String> missingNodes, boolean complete) {}

    /**
     * A shared subscription.
     *
     * @param topicFilter begins with $share/
     * @param filter the part of it that topics match
     * @param connected the number of members that are connected
     */
    record GroupResponse(String topicFilter, String shareName, String filter, long members, long connected) {
        static GroupResponse of(FilterPage.Entry entry) {
            String rest = entry.topicFilter().substring(SHARED.length());
            int slash = rest.indexOf('/');
            return new GroupResponse(
                    entry.topicFilter(),
                    rest.substring(0, slash),
                    rest.substring(slash + 1),
                    entry.subscribers(),
                    entry.connected());
        }
    }

    /**
     * A part of the list of the members.
     *
     * @param items in the order of the client ids
     * @param nextMember the member that gets the next message which is published at the node that answers; null if there is none
     * @param next the cursor of the next part; null at the end of the list
     * @param complete false if there are so many members that some were not examined
     */
    record MembersResponse(
            List<MemberResponse> items,
            @Nullable NextMember nextMember,
            @Nullable String next,
            List<String> missingNodes,
            boolean complete) {}

    /** Which messages a member gets. */
    enum State {
        READY("It gets messages in turn with the other members."),
        BUSY(
                "It cannot send at once: its client has as many messages in flight as it may have, does not read, or is above a"
                        + " limit of the rules. It gets a message only if no member can send at once."),
        FULL(
                "Its queue is full. It gets a message only if the queues of all members are full, and then one is dropped."),
        AWAY("It gets messages only while no member is connected; they wait in its queue or log."),
        AWAY_QOS_0("It gets no messages while it is away: its subscription has QoS 0, so they are not stored."),
        UNKNOWN("Its node has not answered, or the client has just left.");

        private static final String ELSEWHERE =
                " Other nodes do not know that: to them, it is a member that can send at once.";

        private final String sentence;

        State(String sentence) {
            this.sentence = sentence;
        }

        private String explanation(boolean isPersistent) {
            return isPersistent && (this == BUSY || this == FULL) ? sentence + ELSEWHERE : sentence;
        }

        private static State of(Subscriber member, ClientDetails details) {
            ClientEntry client = details.client();
            SessionDetails session = details.session();
            if (client == null) {
                return UNKNOWN;
            }
            if (client.connection() == null) {
                return member.subscription().qos() == QoS.AT_MOST_ONCE ? AWAY_QOS_0 : AWAY;
            }
            return session == null
                    ? UNKNOWN
                    : switch (session.capacity()) {
                        case READY -> READY;
                        case QUEUEABLE -> BUSY;
                        case FULL -> FULL;
                    };
        }
    }

    /**
     * @param qos granted, 0 to 2
     * @param persistent whether its session outlives its connection
     * @param node id of the node of its connection; null if it is not connected
     * @param inFlight messages that were sent and are not acknowledged; null if it is not connected
     * @param waiting messages that wait in the memory of the node, or in the queue or log, without those in flight; null if they are unknown
     * @param explanation what the state means, a sentence or two
     */
    record MemberResponse(
            String clientId,
            int qos,
            boolean persistent,
            State state,
            @Nullable String node,
            @Nullable Integer inFlight,
            @Nullable Integer maximumInFlight,
            @Nullable Long waiting,
            String explanation) {
        static MemberResponse of(Subscriber member, Found found) {
            ClientDetails details = found.details();
            ClientEntry client = details.client();
            ClientLink link = client == null ? null : client.connection();
            SessionDetails session = details.session();
            State state = State.of(member, details);
            return new MemberResponse(
                    member.clientId(),
                    member.subscription().qos().level(),
                    member.isPersistent(),
                    state,
                    link == null ? null : link.nodeId(),
                    session == null ? null : Integer.valueOf(session.inFlight()),
                    session == null ? null : Integer.valueOf(session.maximumInFlight()),
                    found.waiting(member.isPersistent()),
                    state.explanation(member.isPersistent()));
        }
    }
}

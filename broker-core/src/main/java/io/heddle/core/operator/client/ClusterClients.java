package io.heddle.core.operator.client;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.operator.query.NodeAnswer;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.routing.NextChoice;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.SessionAdministration;
import io.heddle.core.session.SessionAdministration.Ended;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.SharedGroup;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a cluster, or of the only node. Connected clients are those of the nodes that answer; clients that are away are in the
 * memory of this node.
 */
public final class ClusterClients implements Clients {
    private final NodeQuestions questions;
    private final PersistentSessions persistent;
    private final SubscriptionTrie trie;
    private final SessionAdministration administration;

    /** Answers the questions of all nodes about the clients of this one from now on. Once for each node. */
    public ClusterClients(
            NodeQuestions questions, LocalSessions sessions, PersistentSessions persistent, SubscriptionTrie trie) {
        this.questions = questions;
        this.persistent = persistent;
        this.trie = trie;
        this.administration = new SessionAdministration(sessions);
        new NodeClients(sessions, persistent, trie).answer(questions);
    }

    @Override
    public ClientPage list(ClientQuery query) {
        ClientFilter filter = query.filter();
        PageMerge merge = new PageMerge(query);
        Set<String> missing = new TreeSet<>();
        SortedMap<Incarnation, NodeId> members = questions.members();
        CompletableFuture<Map<Incarnation, NodeAnswer>> connected = filter.showsConnected()
                ? ask(filter.nodeId(), QuestionKind.CLIENTS, ClientFormat.QUERY.encode(query))
                : CompletableFuture.completedFuture(Map.of());
        if (filter.showsAway()) {
            List<ClientEntry> away = new ArrayList<>();
            String next = OrderedWalk.walk(
                    persistent.inOrder().all(), query, filter::matchesAway, session -> away.add(entry(session)));
            merge.add(away, next);
        }
        connected.join().forEach((node, answer) -> {
            byte[] bytes = answer.bytes();
            if (bytes == null) {
                missing.add(nameOf(node, members));
                return;
            }
            ClientFormat.Part part = ClientFormat.PART.decode(bytes);
            merge.add(part.entries(), part.next());
        });
        return merge.page(missing);
    }

    private static String nameOf(Incarnation node, SortedMap<Incarnation, NodeId> members) {
        NodeId id = members.get(node);
        return id == null ? node.toString() : id.value();
    }

    /** @param nodeId of the only node that is asked, or null for all */
    private CompletableFuture<Map<Incarnation, NodeAnswer>> ask(
            @Nullable String nodeId, QuestionKind kind, byte[] question) {
        if (nodeId == null) {
            return questions.askAll(kind, question);
        }
        CompletableFuture<Map<Incarnation, NodeAnswer>> answers = CompletableFuture.completedFuture(new TreeMap<>());
        for (Map.Entry<Incarnation, NodeId> member : questions.members().entrySet()) {
            if (member.getValue().value().equals(nodeId)) {
                Incarnation node = member.getKey();
                answers = answers.thenCombine(questions.ask(node, kind, question), (all, answer) -> {
                    all.put(node, answer);
                    return all;
                });
            }
        }
        return answers;
    }

    private static ClientEntry entry(PersistentSession session) {
        SessionRecord record = session.record();
        return new ClientEntry(
                session.clientId().value(),
                record.type(),
                record.userName(),
                record.expirySeconds(),
                record.awaySinceMillis(),
                null);
    }

    @Override
    public @Nullable NextMember nextMember(TopicFilter sharedFilter) {
        SharedGroup group = trie.group(sharedFilter);
        SortedMap<Incarnation, NodeId> members = questions.members();
        Incarnation self =
                members.keySet().stream().filter(questions::isSelf).findFirst().orElse(null);
        if (group == null || self == null) {
            return null;
        }
        String here = nameOf(self, members);
        return switch (NextChoice.of(group)) {
            case null -> null;
            case NextChoice.OfMember(ClientId clientId, NextChoice.Fate fate) ->
                NextMember.of(here, clientId.value(), fate);
            case NextChoice.OfNode(Incarnation node) -> NextMember.elsewhere(here, nameOf(node, members));
        };
    }

    @Override
    public ClientDetails find(ClientId clientId) {
        List<ClientDetails> found = new ArrayList<>();
        List<QueueDrop> drops = new ArrayList<>();
        List<LastDisconnection> disconnections = new ArrayList<>();
        Set<String> missing = forEachAnswer(
                QuestionKind.CLIENT, ClientFormat.CLIENT.encode(new ClientFormat.OfClient(clientId)), bytes -> {
                    ClientDetails ofNode = ClientFormat.DETAILS.decode(bytes);
                    if (ofNode.queueDrop() != null) {
                        drops.add(ofNode.queueDrop());
                    }
                    if (ofNode.lastDisconnection() != null) {
                        disconnections.add(ofNode.lastDisconnection());
                    }
                    if (ofNode.client() != null) {
                        found.add(ofNode);
                    }
                });
        return found.stream()
                .max(Comparator.comparingLong(ClusterClients::since))
                .orElseGet(() -> awayOrUnknown(clientId, missing))
                .with(
                        drops.stream()
                                .max(Comparator.comparingLong(QueueDrop::millis))
                                .orElse(null),
                        disconnections.stream()
                                .max(Comparator.comparingLong(LastDisconnection::millis))
                                .orElse(null));
    }

    private static long since(ClientDetails details) {
        ClientEntry client = details.client();
        return client == null ? 0 : client.sinceMillis();
    }

    private ClientDetails awayOrUnknown(ClientId clientId, Set<String> missing) {
        PersistentSession session = persistent.find(clientId);
        if (session == null || !session.record().isAway()) {
            return new ClientDetails(null, 0, null, null, null, missing);
        }
        return new ClientDetails(entry(session), session.subscriptions().size(), null, null, null, Set.of());
    }

    /** Asks all nodes, passes the answers on, and returns the ids of the nodes that have not answered. */
    private Set<String> forEachAnswer(QuestionKind kind, byte[] question, Consumer<byte[]> receiver) {
        return new TreeSet<>(questions.forEachAnswer(kind, question, (_, answer) -> receiver.accept(answer)));
    }

    @Override
    public Disconnected disconnect(ClientId clientId, ReasonCode reason) {
        if (!reason.isError()) {
            throw new IllegalArgumentException("a server disconnects a client with an error code, not " + reason);
        }
        List<String> closed = new ArrayList<>();
        List<String> missing = questions.forEachAnswer(
                QuestionKind.DISCONNECT,
                ClientFormat.DISCONNECT.encode(new ClientFormat.Disconnect(clientId, reason)),
                (nodeId, answer) -> {
                    if (ClientFormat.DISCONNECTED.decode(answer).found()) {
                        closed.add(nodeId);
                    }
                });
        return new Disconnected(closed.isEmpty() ? null : closed.getFirst(), new TreeSet<>(missing));
    }

    @Override
    public Ended endSession(ClientId clientId) {
        Disconnected closed = disconnect(clientId, ReasonCode.ADMINISTRATIVE_ACTION);
        if (closed.nodeId() == null && !closed.missingNodes().isEmpty() && persistent.find(clientId) == null) {
            return new Ended.Unknown("these nodes have not answered: " + String.join(", ", closed.missingNodes()));
        }
        return administration.end(clientId).toCompletableFuture().join();
    }

    @Override
    public EndedSessions endSessions(ClientFilter filter, boolean isDryRun) {
        return new SessionEnds(persistent, administration, System::nanoTime).end(filter, isDryRun);
    }

    @Override
    public ClientSubscriptions subscriptions(ClientId clientId, @Nullable String after, int limit) {
        PersistentSession session = persistent.find(clientId);
        if (session != null) {
            return new ClientSubscriptions(
                    SubscriptionPage.cut(
                            SessionAdministration.page(session.subscriptions(), after, limit + 1),
                            limit,
                            questions.maximumBytes()),
                    Set.of());
        }
        List<SubscriptionPage> found = new ArrayList<>();
        byte[] question = ClientFormat.SUBSCRIPTIONS.encode(new ClientFormat.OfSubscriptions(clientId, after, limit));
        Set<String> missing = forEachAnswer(QuestionKind.SUBSCRIPTIONS, question, answer -> {
            SubscriptionPage page = ClientFormat.PAGE.decode(answer).page();
            if (page != null) {
                found.add(page);
            }
        });
        return found.isEmpty()
                ? new ClientSubscriptions(null, missing)
                : new ClientSubscriptions(found.getFirst(), Set.of());
    }

    @Override
    public SubscriberPage subscribers(SubscriberQuery query) {
        List<SubscriberSearch.Found> parts = new ArrayList<>();
        parts.add(SubscriberSearch.search(trie, query, true));
        Set<String> missing = forEachAnswer(
                QuestionKind.SUBSCRIBERS,
                ClientFormat.SUBSCRIBERS.encode(query),
                answer -> parts.add(ClientFormat.FOUND_SUBSCRIBERS.decode(answer)));
        return SubscriberSearch.merge(parts, query.limit(), missing);
    }

    @Override
    public FilterPage filters(FilterPage.Query query) {
        List<FilterSearch.Found> parts = new ArrayList<>();
        parts.add(FilterSearch.search(trie, query, true));
        Set<String> missing = forEachAnswer(
                QuestionKind.FILTERS,
                ClientFormat.FILTERS.encode(query),
                answer -> parts.add(ClientFormat.FOUND_FILTERS.decode(answer)));
        return FilterSearch.merge(parts, query.limit(), missing);
    }
}

package io.heddle.core.operator.client;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.session.ConnectedClient;
import io.heddle.core.session.Disconnection;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.SessionAdministration;
import io.heddle.core.session.SessionDetails;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Answers the questions of all nodes about the clients that are connected to this one. On threads that may block; thread-safe. */
final class NodeClients {
    /** More than the bytes of a page besides its entries; it has one more text of MQTT. */
    private static final int OTHER_BYTES = 100 + BinaryWriter.MAXIMUM_U16;

    private final LocalSessions sessions;
    private final PersistentSessions persistent;
    private final SessionAdministration administration;
    private final SubscriptionTrie trie;

    NodeClients(LocalSessions sessions, PersistentSessions persistent, SubscriptionTrie trie) {
        this.sessions = sessions;
        this.persistent = persistent;
        this.trie = trie;
        this.administration = new SessionAdministration(sessions);
    }

    void answer(NodeQuestions questions) {
        questions.answer(
                QuestionKind.CLIENTS, (question, maximumBytes) -> page(question, maximumBytes, questions.selfName()));
        questions.answer(QuestionKind.CLIENT, (question, _) -> client(question, questions.selfName()));
        questions.answer(
                QuestionKind.DISCONNECT, (question, _) -> disconnect(ClientFormat.DISCONNECT.decode(question)));
        questions.answer(QuestionKind.SUBSCRIPTIONS, this::subscriptions);
        questions.answer(
                QuestionKind.SUBSCRIBERS,
                (question, maximumBytes) -> SubscriberSearch.search(
                                trie, ClientFormat.SUBSCRIBERS.decode(question), false)
                        .encode(maximumBytes));
        questions.answer(
                QuestionKind.FILTERS,
                (question, maximumBytes) -> FilterSearch.search(trie, ClientFormat.FILTERS.decode(question), false)
                        .encode(maximumBytes));
    }

    private byte[] page(byte[] question, int maximumBytes, String nodeId) {
        ClientQuery query = ClientFormat.QUERY.decode(question);
        List<ClientEntry> entries = new ArrayList<>();
        String next = OrderedWalk.walk(
                sessions.inOrder(),
                query,
                query.filter()::matches,
                client -> entries.add(ClientEntry.of(client, nodeId)));
        List<ClientEntry> fitting = RecordFormat.fitting(entries, maximumBytes - OTHER_BYTES);
        return ClientFormat.PART.encode(new ClientFormat.Part(
                fitting, fitting.size() < entries.size() ? fitting.getLast().clientId() : next));
    }

    private byte[] client(byte[] question, String nodeId) {
        ClientId clientId = ClientFormat.CLIENT.decode(question).clientId();
        SessionDetails details = await(administration.details(clientId));
        ConnectedClient client = details == null ? null : sessions.inOrder().get(clientId.value());
        // The holder of the bucket knows it, to which the client need not be connected.
        PersistentSession session = persistent.find(clientId);
        Disconnection last = administration.lastDisconnection(clientId);
        return ClientFormat.DETAILS.encode(new ClientDetails(
                client == null ? null : ClientEntry.of(client, nodeId),
                details == null ? 0 : details.subscriptions(),
                client == null ? null : details,
                session == null ? null : session.queueDrop(),
                last == null
                        ? null
                        : new LastDisconnection(
                                ClientEntry.of(last.client(), nodeId),
                                last.cause().reason(),
                                last.cause().detail(),
                                last.millis()),
                Set.of()));
    }

    private byte[] disconnect(ClientFormat.Disconnect order) {
        if (!order.reason().isError()) {
            throw new IllegalArgumentException("another node disconnects with " + order.reason());
        }
        Boolean found = await(administration.disconnect(order.clientId(), order.reason()));
        return ClientFormat.DISCONNECTED.encode(new ClientFormat.Disconnected(Boolean.TRUE.equals(found)));
    }

    private byte[] subscriptions(byte[] question, int maximumBytes) {
        ClientFormat.OfSubscriptions asked = ClientFormat.SUBSCRIPTIONS.decode(question);
        int limit = asked.limit();
        List<Subscription> page =
                await(administration.transientSubscriptions(asked.clientId(), asked.after(), limit + 1));
        return ClientFormat.PAGE.encode(
                new ClientFormat.Subscriptions(page == null ? null : SubscriptionPage.cut(page, limit, maximumBytes)));
    }

    private static <T extends @Nullable Object> T await(CompletionStage<T> ofLoop) {
        return Answers.await(
                ofLoop, NodeQuestions.LIMIT, "the event loop of the client", StoreUnavailableException::new);
    }
}

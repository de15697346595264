package io.heddle.core.operator.client;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.session.ConnectedClient;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.SessionAdministration;
import io.heddle.core.session.SessionDetails;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Answers the questions of all nodes about the clients that are connected to this one. On threads that may block; thread-safe. */
final class NodeClients {
    /** In an answer: the client is not connected to the node. */
    static final int ABSENT = 0;

    static final int PRESENT = 1;

    /** The length of the two parts of a page before its entries, besides the text of the first. */
    private static final int HEADER_BYTES = 4;

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
        questions.answer(QuestionKind.CLIENTS, this::page);
        questions.answer(QuestionKind.CLIENT, (question, _) -> client(question));
        questions.answer(QuestionKind.DISCONNECT, (question, _) -> disconnect(question));
        questions.answer(QuestionKind.SUBSCRIPTIONS, this::subscriptions);
        questions.answer(
                QuestionKind.SUBSCRIBERS,
                (question, maximumBytes) -> SubscriberSearch.search(trie, SubscriberQuery.decode(question), false)
                        .encode(maximumBytes));
        questions.answer(
                QuestionKind.FILTERS,
                (question, maximumBytes) -> FilterSearch.search(trie, FilterPage.Query.decode(question), false)
                        .encode(maximumBytes));
    }

    private byte[] page(byte[] question, int maximumBytes) {
        ClientQuery query = ClientFormat.query(question);
        BinaryWriter entries = new BinaryWriter();
        BinaryWriter entry = new BinaryWriter();
        // The next page begins with the id of an entry that was written, or that has been passed over.
        int room = maximumBytes - HEADER_BYTES - BinaryWriter.MAXIMUM_U16;
        String next = OrderedWalk.walk(sessions.inOrder(), query, query.filter()::matches, client -> {
            entry.clear();
            ClientFormat.entry(client, entry);
            if (entries.length() + entry.length() > room) {
                return false;
            }
            entries.raw(entry.toBytes());
            return true;
        });
        return ClientFormat.textOrNull(next, ClientFormat.write())
                .raw(entries.toBytes())
                .toBytes();
    }

    private byte[] client(byte[] question) {
        FrameReader in = ClientFormat.read("a question about a client", question);
        ClientId clientId = ClientFormat.clientId(in);
        in.finish();
        SessionDetails details = await(administration.details(clientId));
        ConnectedClient client = sessions.inOrder().get(clientId.value());
        BinaryWriter out = ClientFormat.write();
        if (details == null || client == null) {
            out.u8(ABSENT);
        } else {
            ClientFormat.entry(client, out.u8(PRESENT));
            ClientFormat.details(details, out);
        }
        // The holder of the bucket knows it, to which the client need not be connected.
        PersistentSession session = persistent.find(clientId);
        ClientFormat.drop(session == null ? null : session.queueDrop(), out);
        ClientFormat.disconnection(administration.lastDisconnection(clientId), out);
        return out.toBytes();
    }

    private byte[] disconnect(byte[] question) {
        FrameReader in = ClientFormat.read("the order to disconnect a client", question);
        ClientId clientId = ClientFormat.clientId(in);
        ReasonCode reason = ReasonCode.ofCode(in.u8());
        in.finish();
        if (reason == null || !reason.isError()) {
            throw in.malformed("its reason is no error code");
        }
        boolean found = Boolean.TRUE.equals(await(administration.disconnect(clientId, reason)));
        return ClientFormat.write().u8(found ? PRESENT : ABSENT).toBytes();
    }

    private byte[] subscriptions(byte[] question, int maximumBytes) {
        FrameReader in = ClientFormat.read("a question about subscriptions", question);
        ClientId clientId = ClientFormat.clientId(in);
        String after = ClientFormat.textOrNull(in);
        int limit = in.u16();
        in.finish();
        List<Subscription> page = await(administration.transientSubscriptions(clientId, after, limit + 1));
        BinaryWriter out = ClientFormat.write();
        if (page == null) {
            return out.u8(ABSENT).toBytes();
        }
        SubscriptionPage.cut(page, limit, maximumBytes).write(out.u8(PRESENT));
        return out.toBytes();
    }

    /** Waits for an event loop, not longer than the one who asks. */
    private static <T extends @Nullable Object> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(NodeQuestions.LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while an event loop was awaited", interrupted);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException("the event loop of the client has not answered", failed);
        }
    }
}

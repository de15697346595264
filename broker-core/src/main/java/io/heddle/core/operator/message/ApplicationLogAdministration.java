package io.heddle.core.operator.message;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdRange;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.application.LogExtent;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.application.SeekOutcome;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Shows the logs of APPLICATION clients and changes the clients' positions in them, on any node. Thread-safe; blocks its callers, so not on an
 * event loop. Bound: a page examines its own items only, because the sessions of APPLICATION clients are kept in order.
 */
public final class ApplicationLogAdministration {
    private final PersistentSessions sessions;
    private final Seeks seeks;

    /** Changes positions on the node that decides about the client. */
    @FunctionalInterface
    public interface Seeks {
        /** Returns the outcome, which is never {@link SeekOutcome.Refused#MOVED} unless no node decides about the client now. */
        CompletionStage<SeekOutcome> seek(ClientId clientId, LogPosition position);
    }

    public ApplicationLogAdministration(PersistentSessions sessions, Seeks seeks) {
        this.sessions = sessions;
        this.seeks = seeks;
    }

    ApplicationLogAdministration with(Seeks others) {
        return new ApplicationLogAdministration(sessions, others);
    }

    /** @throws StoreUnavailableException if Kafka does not answer */
    public ApplicationLogPage list(ApplicationLogQuery query) {
        NavigableMap<String, PersistentSession> rest = ClientIdRange.of(
                sessions.inOrder().applications(), query.prefix(), query.after(), query.isDescending());
        List<PersistentSession> page =
                rest.values().stream().limit(query.limit() + 1L).toList();
        boolean hasMore = page.size() > query.limit();
        return new ApplicationLogPage(logs(hasMore ? page.subList(0, query.limit()) : page), hasMore);
    }

    private List<ApplicationLog> logs(List<PersistentSession> page) {
        if (page.isEmpty()) {
            return List.of();
        }
        Map<ClientId, LogExtent> extents = Answers.await(
                sessions.applications()
                        .extents(page.stream().map(PersistentSession::clientId).toList()),
                "the extents of application logs",
                StoreUnavailableException::kafka);
        return page.stream()
                .map(each -> new ApplicationLog(
                        each.clientId(),
                        !each.record().isAway(),
                        sessions.applications().position(each.clientId(), each.generation()),
                        extents.get(each.clientId())))
                .toList();
    }

    /**
     * Returns the log of a client, or null if it has no persistent session or is a DEVICE client.
     *
     * @throws StoreUnavailableException if Kafka does not answer
     */
    public @Nullable ApplicationLog find(ClientId clientId) {
        PersistentSession session = sessions.find(clientId);
        return session == null || session.record().type() != ClientType.APPLICATION
                ? null
                : logs(List.of(session)).getFirst();
    }

    /**
     * Changes the position of a client in its log. Its connection is closed first; a connection that follows begins at the position.
     *
     * @throws StoreUnavailableException if the change is not durable in time; it may still become so, unless the client connects before
     */
    public SeekOutcome seek(ClientId clientId, LogPosition position) {
        SeekOutcome outcome = Answers.await(
                seeks.seek(clientId, position), "the change of a position", StoreUnavailableException::new);
        if (outcome == SeekOutcome.Refused.MOVED) {
            throw new StoreUnavailableException("no node decides about the client at this moment", null);
        }
        return outcome;
    }
}

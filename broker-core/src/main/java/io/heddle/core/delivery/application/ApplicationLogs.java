package io.heddle.core.delivery.application;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The logs of APPLICATION clients, one for each client with a persistent session. {@link io.heddle.core.delivery.log.MessageLog} appends to
 * them. Thread-safe, never blocks.
 *
 * <p>Any node reads and appends. Only the node that decides about a client creates, shortens and removes the log: those of the
 * buckets that were {@linkplain #take taken}.
 */
@Port
public interface ApplicationLogs {
    /**
     * Creates the log of a new session. It may reuse the log of a session of the same client that ended in this life of the node. The
     * messages of that session do not belong to the new one. A log that {@link #take} found without a session is replaced: another node
     * may still remove it.
     *
     * @param generation of the session
     * @return the lowest sequence number of this session, once the log accepts appends; fails with {@link
     *     io.heddle.core.StoreUnavailableException} when the log cannot be created
     */
    CompletionStage<Long> create(ClientId clientId, long generation);

    /**
     * Ends a session. Its log is removed some time later, unless a new session of the client reuses it. Has no effect when the log already
     * belongs to a later session.
     *
     * @param lowest every message below this sequence number was acknowledged
     * @return the approximate number of undelivered messages, 0 when it cannot be determined
     */
    CompletionStage<Long> end(ClientId clientId, long generation, long lowest);

    /**
     * Opens the logs of all sessions of a bucket, about whose clients this node decides from now on, and creates missing ones. Logs of the
     * bucket's clients that have no session are removed some time later; they may be found after the answer. May be repeated.
     *
     * @param generations of the sessions, by their clients
     * @return one above the highest sequence number of each log, once all accept appends; fails with {@link
     *     io.heddle.core.StoreUnavailableException} when the store does not answer
     */
    CompletionStage<Map<ClientId, Long>> take(int bucket, Map<ClientId, Long> generations);

    /**
     * Another node is about to decide about the clients of a bucket. This one still appends to their logs and reads them.
     *
     * @return completes when this node creates, shortens and removes no log of the bucket any more; a removal that is on its way affects no
     *     log that the next node gives to a session
     */
    CompletionStage<Void> release(int bucket);

    /**
     * A session has ended, about which another node decides. Its log may not exist any more, so the appends for it that are on their way
     * succeed without effect.
     *
     * @return the number of messages that were on their way
     */
    int forget(ClientId clientId, long generation);

    /**
     * Allows the log to delete all messages of a session below a sequence number; the session will not read them again. Has no effect if
     * another node decides about the client.
     */
    void acknowledged(ClientId clientId, long generation, long lowest);

    /**
     * Forgets what the session has acknowledged, so that no further message is deleted before the next call of {@link #acknowledged}. On the
     * node that decides about the client, while it has no connection.
     *
     * @return completes when no deletion is on its way; the log does not become shorter after that
     */
    CompletionStage<Void> keep(ClientId clientId, long generation);

    /**
     * Returns the extents of some logs, without those that do not exist. Any node.
     *
     * @param clientIds a bounded number
     */
    CompletionStage<Map<ClientId, LogExtent>> extents(Collection<ClientId> clientIds);

    /**
     * Returns the sequence number of a position in a log, from the lowest one that the log has to one above the highest. Messages that are being
     * committed are not below it. Any node.
     */
    CompletionStage<Long> find(ClientId clientId, LogPosition position);

    /**
     * Reads the messages of a session, until the reading is closed. One reading of a log at a time.
     *
     * @param from the lowest sequence number wanted
     */
    Reading read(ClientId clientId, long generation, long from, Sink sink);

    /** Receives the messages of one log, on a thread of the logs that must not be blocked. */
    interface Sink {
        /** Takes the next messages, in order. */
        void read(List<ApplicationMessage> messages);

        /** Ends the reading after a permanent failure. The connection must be closed. */
        void lost(String reason);
    }

    /** A running read of one log. Thread-safe. */
    interface Reading {
        /**
         * Releases messages that the session has taken. Reading pauses while too many bytes are not taken.
         *
         * @param bytes of the messages ({@link io.heddle.core.message.PublishMessage#heldBytes})
         */
        void taken(long bytes);

        /** Stops reading. Messages in flight may still arrive. */
        void close();
    }
}

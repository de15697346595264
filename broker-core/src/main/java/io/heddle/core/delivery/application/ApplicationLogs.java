package io.heddle.core.delivery.application;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The logs of APPLICATION clients, one for each client with a persistent session. Messages are appended through {@link
 * io.heddle.core.delivery.log.MessageLog}. Thread-safe; only {@link #restore} blocks.
 */
@Port
public interface ApplicationLogs {
    /**
     * Makes the log of a session that begins. The log of an ended session of the same client may be taken over: then its messages
     * are not this session's.
     *
     * @param generation of the session
     * @return the number from which on messages of this session may come, when the log takes appends; fails with {@link
     *     io.heddle.core.StoreUnavailableException} when it can't be made
     */
    CompletionStage<Long> create(ClientId clientId, long generation);

    /**
     * A session is over: its log is removed some time later, unless another session of the client needs it. Does nothing when the log
     * is a later session's already.
     *
     * @param lowest every message below this number was acknowledged
     * @return about how many messages nobody will get, 0 when that can't be found out
     */
    CompletionStage<Long> end(ClientId clientId, long generation, long lowest);

    /**
     * Makes the logs known that a starting node has sessions for, and those that are missing anew; what is there for nobody is removed
     * some time later. Blocks; for the start of a node.
     *
     * @param generations of the sessions, by their clients
     * @return one above the highest number that each of these logs has given
     * @throws io.heddle.core.StoreUnavailableException when the store does not answer
     */
    Map<ClientId, Long> restore(Map<ClientId, Long> generations);

    /** What a session has acknowledged, and will not ask for again, may be removed from its log: all below a number. */
    void acknowledged(ClientId clientId, long generation, long lowest);

    /**
     * Reads the messages of a session, until the reading is closed. One reading of a log at a time.
     *
     * @param from the first number that is wanted
     */
    Reading read(ClientId clientId, long generation, long from, Sink sink);

    /** Hears what is read, on a thread of the logs that must not be held up. */
    interface Sink {
        /** These come next, by rising number. */
        void read(List<ApplicationMessage> messages);

        /** Nothing more can be read: the session can't go on with this connection. */
        void lost(String reason);
    }

    /** A log that is being read. Thread-safe. */
    interface Reading {
        /**
         * Messages that were read have been taken: what was not is bounded, and reading rests when there is too much of it.
         *
         * @param bytes what they hold ({@link io.heddle.core.message.PublishMessage#heldBytes})
         */
        void taken(long bytes);

        /** Nothing more is wanted. Something may still come that was under way. */
        void close();
    }
}

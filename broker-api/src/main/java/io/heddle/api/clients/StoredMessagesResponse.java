package io.heddle.api.clients;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.message.ApplicationLog;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of the messages in the queue or log of a client, those that it has received and not acknowledged included.
 *
 * @param messages of an APPLICATION client its lag, which includes the ends of transactions
 * @param queuedBytes null for an APPLICATION client, whose log also has acknowledged messages
 */
public record StoredMessagesResponse(
        long messages, @Nullable Long queuedBytes) {
    /** Returns null for a session that ends with its connection, and if the store does not answer. */
    public static @Nullable StoredMessagesResponse find(Node node, ClientId clientId, ClientType type) {
        try {
            return switch (type) {
                case DEVICE -> of(node.messages().queues().view(clientId, 0, 0));
                case APPLICATION -> of(node.messages().applications().find(clientId));
            };
        } catch (StoreUnavailableException _) {
            // The other facts about the client are useful without it.
            return null;
        }
    }

    private static @Nullable StoredMessagesResponse of(@Nullable QueueView queue) {
        return queue == null ? null : new StoredMessagesResponse(queue.messages(), queue.bytes());
    }

    private static @Nullable StoredMessagesResponse of(@Nullable ApplicationLog log) {
        return log == null ? null : new StoredMessagesResponse(log.lag(), null);
    }
}

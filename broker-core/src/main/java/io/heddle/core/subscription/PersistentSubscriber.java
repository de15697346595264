package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import org.jspecify.annotations.Nullable;

/**
 * A session that outlives its connections, as a subscriber. Durable messages go to its queue or log; others go to its client if
 * connected. Thread-safe; the session's owner sets the connection, and the owner of its record the node.
 */
public final class PersistentSubscriber implements SessionSubscriber {
    private final ClientId clientId;
    private final ClientType type;
    private final int bucket;
    private final long generation;
    private volatile @Nullable LocalSession connection;
    private volatile long connectNumber;
    private volatile @Nullable RemoteNode node;

    /**
     * Creates a subscriber whose client is not connected.
     *
     * @param type selects the storage of its messages
     * @param bucket of the client
     * @param generation distinguishes later sessions of the same client
     */
    public PersistentSubscriber(ClientId clientId, ClientType type, int bucket, long generation) {
        this.clientId = clientId;
        this.type = type;
        this.bucket = bucket;
        this.generation = generation;
    }

    @Override
    public ClientId clientId() {
        return clientId;
    }

    /** Returns the client type, which selects the storage of its messages. */
    public ClientType type() {
        return type;
    }

    public int bucket() {
        return bucket;
    }

    public long generation() {
        return generation;
    }

    /** Returns the session's connection to this node, or null. */
    public @Nullable LocalSession connection() {
        return connection;
    }

    /** @param number from {@link RemoteNodes#nextConnect} */
    public void connected(LocalSession connected, long number) {
        connectNumber = number;
        connection = connected;
    }

    /** The client is disconnected. */
    public void disconnected() {
        connection = null;
    }

    /** Returns the number of the latest connect of the session to this node; 0 before. */
    public long connectNumber() {
        return connectNumber;
    }

    /** Returns the other node that the client is connected to, or null. */
    public @Nullable RemoteNode node() {
        return node;
    }

    /** Sets the other node that the client is connected to; null for this node, and after a disconnect. */
    public void node(@Nullable RemoteNode connected) {
        node = connected;
    }

    @Override
    public boolean isConnected() {
        LocalSession connected = connection;
        if (connected != null) {
            return connected.isConnected();
        }
        RemoteNode elsewhere = node;
        return elsewhere != null && !elsewhere.isGone();
    }

    /**
     * Always QUEUEABLE while disconnected, because messages are queued elsewhere. READY while connected to another node, whose state is not
     * known here.
     */
    @Override
    public DeliveryCapacity capacity() {
        LocalSession connected = connection;
        if (connected != null) {
            return connected.capacity();
        }
        RemoteNode elsewhere = node;
        return elsewhere != null && !elsewhere.isGone() ? DeliveryCapacity.READY : DeliveryCapacity.QUEUEABLE;
    }
}

package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import org.jspecify.annotations.Nullable;

/**
 * A session that outlives its connections, as routing sees it: what must survive goes into its queue or its log, the rest to its
 * client, if that is connected. Any thread may ask; the connection is set by the session's owner.
 */
public final class PersistentSubscriber implements SessionSubscriber {
    private final ClientId clientId;
    private final ClientType type;
    private final int bucket;
    private final long generation;
    private volatile @Nullable LocalSession connection;

    /**
     * A session whose client is not connected.
     *
     * @param type where its messages wait
     * @param bucket of the client
     * @param generation a later session of the same client has another
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

    /** Where its messages wait. */
    public ClientType type() {
        return type;
    }

    /** The client's bucket. */
    public int bucket() {
        return bucket;
    }

    /** The session's generation. */
    public long generation() {
        return generation;
    }

    /** The session's connection to this node, or null. */
    public @Nullable LocalSession connection() {
        return connection;
    }

    /** The client has come, or gone when null. */
    public void connection(@Nullable LocalSession connected) {
        connection = connected;
    }

    @Override
    public boolean isConnected() {
        LocalSession connected = connection;
        return connected != null && connected.isConnected();
    }

    /** What waits for one that is away does not wait here. */
    @Override
    public DeliveryCapacity capacity() {
        LocalSession connected = connection;
        return connected == null ? DeliveryCapacity.QUEUEABLE : connected.capacity();
    }
}

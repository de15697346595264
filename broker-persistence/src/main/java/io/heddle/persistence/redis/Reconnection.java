package io.heddle.persistence.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Tells a reconnection from a first connection, of which the client of a Redis Cluster makes new ones all the time. Thread-safe. Bounded
 * by the connections that are lost and may still come back.
 */
final class Reconnection implements RedisConnectionStateListener {
    private final Runnable listener;
    private final Set<RedisChannelHandler<?, ?>> lost =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** @param listener runs on the I/O thread of a connection that is there again */
    Reconnection(Runnable listener) {
        this.listener = listener;
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        lost.add(connection);
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress socketAddress) {
        if (lost.remove(connection)) {
            listener.run();
        }
    }
}

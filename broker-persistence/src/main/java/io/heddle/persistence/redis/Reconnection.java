package io.heddle.persistence.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Distinguishes reconnections from first connections, which the client of a Redis Cluster opens all the time. Thread-safe. Bounded by the
 * connections that were lost and may be restored.
 */
final class Reconnection implements RedisConnectionStateListener {
    private final Runnable listener;
    private final Set<RedisChannelHandler<?, ?>> lost =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** @param listener runs on the I/O thread of the restored connection */
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

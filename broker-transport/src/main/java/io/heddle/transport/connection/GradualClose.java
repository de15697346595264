package io.heddle.transport.connection;

import io.heddle.core.mqtt.packet.DisconnectPacket;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes the connections that were open at its beginning, a few at a time, and sends their clients to another server. Confined to one
 * thread; the connections are closed on their event loops.
 */
public final class GradualClose {
    private final Iterator<NettyConnection> left;
    private final String reason;
    private final Supplier<@Nullable String> serverReference;

    /**
     * Begins with all open connections.
     *
     * @param reason for clients of MQTT 5.0
     * @param serverReference returns another server for a client of MQTT 5.0, or null; called for each connection that is closed
     */
    public GradualClose(OpenConnections connections, String reason, Supplier<@Nullable String> serverReference) {
        this.left = connections.snapshot().iterator();
        this.reason = reason;
        this.serverReference = serverReference;
    }

    /** Closes the next connections, at most so many; returns how many, and 0 if none is left. Does not wait for the clients. */
    public int next(int atMost) {
        int closed = 0;
        while (closed < atMost && left.hasNext()) {
            NettyConnection connection = left.next();
            if (connection.isOpen()) {
                DisconnectPacket farewell = DisconnectPacket.toAnotherServer(reason, serverReference.get());
                connection.eventLoop().execute(() -> connection.end(farewell));
                closed++;
            }
        }
        return closed;
    }
}

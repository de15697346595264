package io.heddle.transport.connection;

import io.heddle.core.mqtt.packet.DisconnectPacket;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Closes the connections that were open at its beginning, a few at a time, and sends their clients to another server. Confined to one
 * thread; the connections are closed on their event loops.
 */
public final class GradualClose {
    private static final String REASON = "the server is being drained";

    private final Iterator<NettyConnection> left;
    private final DisconnectPacket farewell;

    /**
     * Begins with all open connections.
     *
     * @param serverReference another server for clients of MQTT 5.0, or null
     */
    public GradualClose(OpenConnections connections, @Nullable String serverReference) {
        this.left = connections.snapshot().iterator();
        this.farewell = DisconnectPacket.toAnotherServer(REASON, serverReference);
    }

    /** Closes the next connections, at most so many; returns how many, and 0 if none is left. Does not wait for the clients. */
    public int next(int atMost) {
        int closed = 0;
        while (closed < atMost && left.hasNext()) {
            NettyConnection connection = left.next();
            if (connection.isOpen()) {
                connection.eventLoop().execute(() -> connection.end(farewell));
                closed++;
            }
        }
        return closed;
    }
}

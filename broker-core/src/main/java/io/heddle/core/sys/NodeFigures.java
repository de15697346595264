package io.heddle.core.sys;

/**
 * The figures of one node, which each node shows for all members.
 *
 * @param uptimeSeconds the time since its start
 * @param connectedClients the clients that are connected to it
 * @param connectedPersistent those of them with persistent sessions
 * @param packetsReceived MQTT packets of any type from clients since its start
 * @param packetsSent MQTT packets of any type to clients
 * @param publishesReceived PUBLISH packets from clients
 * @param publishesSent PUBLISH packets to clients
 * @param bytesReceived bytes of MQTT packets from clients
 * @param bytesSent bytes of MQTT packets to clients
 */
public record NodeFigures(
        long uptimeSeconds,
        long connectedClients,
        long connectedPersistent,
        long packetsReceived,
        long packetsSent,
        long publishesReceived,
        long publishesSent,
        long bytesReceived,
        long bytesSent) {
    /** Of a node that has told nothing. */
    public static final NodeFigures NONE = new NodeFigures(0, 0, 0, 0, 0, 0, 0, 0, 0);
}

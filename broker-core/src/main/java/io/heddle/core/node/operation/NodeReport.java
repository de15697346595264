package io.heddle.core.node.operation;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.sys.NodeFigures;

/**
 * What a node tells the others about itself. During a rolling upgrade the members have different versions: a later version may only append
 * to an earlier one, so that each node reads what it knows.
 *
 * <pre>
 * u8   version, 2
 * u32  connections
 * text address for MQTT clients
 * text obstacle
 * i64  each of the figures, in their order; since version 2
 * </pre>
 *
 * @param connections the number of open MQTT connections
 * @param mqttAddress host and port at which clients reach the node; empty if it is unknown
 * @param obstacle one clause that says why the node is not steady, such as "it has yet to take buckets"; empty if it is
 * @param figures for the topics of the broker
 */
public record NodeReport(int connections, String mqttAddress, String obstacle, NodeFigures figures) {
    /** Of the frame with a report. */
    static final int KIND = 0x60;

    private static final int VERSION = 2;
    private static final int FIRST_WITH_FIGURES = 2;

    byte[] encode() {
        return new BinaryWriter()
                .u8(VERSION)
                .u32(connections)
                .text(mqttAddress)
                .text(obstacle)
                .i64(figures.uptimeSeconds())
                .i64(figures.connectedClients())
                .i64(figures.connectedPersistent())
                .i64(figures.packetsReceived())
                .i64(figures.packetsSent())
                .i64(figures.publishesReceived())
                .i64(figures.publishesSent())
                .i64(figures.bytesReceived())
                .i64(figures.bytesSent())
                .toBytes();
    }

    /**
     * Reads a frame of any version.
     *
     * @throws io.heddle.core.message.frame.MalformedFrameException if it cannot be read
     */
    static NodeReport decode(byte[] bytes) {
        FrameReader in = new FrameReader("the report of a node", bytes);
        int version = in.u8();
        if (version == 0) {
            throw in.malformed("there is no version 0");
        }
        NodeReport report = new NodeReport(
                (int) Math.min(in.u32(), Integer.MAX_VALUE),
                in.text(),
                in.text(),
                version < FIRST_WITH_FIGURES ? NodeFigures.NONE : figures(in));
        if (version <= VERSION) {
            in.finish();
        }
        return report;
    }

    private static NodeFigures figures(FrameReader in) {
        return new NodeFigures(
                in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64());
    }
}

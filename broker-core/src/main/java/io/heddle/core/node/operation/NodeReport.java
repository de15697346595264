package io.heddle.core.node.operation;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.sys.NodeFigures;
import org.jspecify.annotations.Nullable;

/**
 * The report of a node about itself to the other nodes.
 *
 * <pre>
 * u8   version, 3
 * u32  connections
 * text address for MQTT clients
 * text obstacle
 * i64  each of the figures, in their order
 * text version of the program
 * u16  CPU usage in thousandths, or 65,535 if it is unknown
 * </pre>
 *
 * @param connections the number of open MQTT connections
 * @param mqttAddress host and port at which clients reach the node; empty if it is unknown
 * @param obstacle one clause that says why the node is not steady, such as "it has yet to take buckets"; empty if it is
 * @param figures for the topics of the broker
 * @param programVersion the version of the program; empty if it is unknown
 * @param cpuThousandths the CPU usage of the process in thousandths of the processors that it may use; null if it is unknown
 */
public record NodeReport(
        int connections,
        String mqttAddress,
        String obstacle,
        NodeFigures figures,
        String programVersion,
        @Nullable Integer cpuThousandths) {
    /** Of the frame with a report. */
    static final int KIND = 0x60;

    private static final int VERSION = 3;
    private static final int UNKNOWN_CPU = 0xffff;

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
                .text(programVersion)
                .u16(cpuThousandths == null ? UNKNOWN_CPU : cpuThousandths)
                .toBytes();
    }

    /**
     * Reads a frame.
     *
     * @throws io.heddle.core.message.frame.MalformedFrameException if it cannot be read
     */
    static NodeReport decode(byte[] bytes) {
        FrameReader in = new FrameReader("the report of a node", bytes);
        in.version(VERSION);
        NodeReport report = new NodeReport(
                (int) Math.min(in.u32(), Integer.MAX_VALUE), in.text(), in.text(), figures(in), in.text(), cpu(in));
        in.finish();
        return report;
    }

    private static @Nullable Integer cpu(FrameReader in) {
        int thousandths = in.u16();
        return thousandths == UNKNOWN_CPU ? null : thousandths;
    }

    private static NodeFigures figures(FrameReader in) {
        return new NodeFigures(
                in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64());
    }
}

package io.heddle.standalone;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks a Kafka node in Kafka's protocol. A listener alone is not enough: it opens before the node has joined. */
final class KafkaProbe {
    private static final short METADATA = 3;
    private static final short METADATA_VERSION = 1;
    private static final int CORRELATION = 1;
    private static final int MAXIMUM_ANSWER_BYTES = 1 << 20;

    private KafkaProbe() {}

    /** Whether the node at that loopback port names itself among the cluster's live nodes. */
    static boolean isRegistered(int port, int nodeId, Duration timeout) {
        try (Socket socket = Loopback.connect(port, timeout)) {
            socket.getOutputStream().write(metadataRequest());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int length = in.readInt();
            if (length < 8 || length > MAXIMUM_ANSWER_BYTES) {
                return false;
            }
            byte[] answer = new byte[length];
            in.readFully(answer);
            return names(ByteBuffer.wrap(answer), nodeId);
        } catch (IOException notYet) {
            return false;
        }
    }

    /** A Metadata request, version 1, for no topic. */
    static byte[] metadataRequest() {
        byte[] client = "heddle-probe".getBytes(StandardCharsets.US_ASCII);
        int length = 3 * Integer.BYTES + 3 * Short.BYTES + client.length;
        ByteBuffer request = ByteBuffer.allocate(length);
        request.putInt(length - Integer.BYTES);
        request.putShort(METADATA).putShort(METADATA_VERSION).putInt(CORRELATION);
        request.putShort((short) client.length).put(client);
        request.putInt(0);
        return request.array();
    }

    /** Whether the response lists that node. */
    static boolean names(ByteBuffer response, int nodeId) {
        if (response.getInt() != CORRELATION) {
            return false;
        }
        int nodes = response.getInt();
        for (int i = 0; i < nodes; i++) {
            if (response.getInt() == nodeId) {
                return true;
            }
            skipString(response);
            response.getInt();
            skipString(response);
        }
        return false;
    }

    private static void skipString(ByteBuffer buffer) {
        short length = buffer.getShort();
        buffer.position(buffer.position() + Math.max(0, length));
    }
}

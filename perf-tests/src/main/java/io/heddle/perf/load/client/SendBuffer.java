package io.heddle.perf.load.client;

import io.heddle.perf.load.wire.BrokerFaultException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Bytes that the socket did not take. Bounded: a broker that reads nothing for too long is a fault. */
final class Unwritten {
    private static final int MAXIMUM_BYTES = 4 * 1024 * 1024;

    private byte[] bytes = new byte[1024];
    private int from;
    private int to;

    boolean isEmpty() {
        return from == to;
    }

    void add(ByteBuffer more) {
        int length = to - from;
        if (length + more.remaining() > MAXIMUM_BYTES) {
            throw new BrokerFaultException(
                    "the broker does not read: " + MAXIMUM_BYTES + " bytes of acknowledgements wait to be written");
        }
        if (bytes.length - to < more.remaining()) {
            byte[] target =
                    bytes.length - length < more.remaining() ? new byte[2 * (length + more.remaining())] : bytes;
            System.arraycopy(bytes, from, target, 0, length);
            bytes = target;
            from = 0;
            to = length;
        }
        int added = more.remaining();
        more.get(bytes, to, added);
        to += added;
    }

    /** Writes what the socket takes. */
    void write(SocketChannel channel) throws IOException {
        from += channel.write(ByteBuffer.wrap(bytes, from, to - from));
        if (from == to) {
            from = 0;
            to = 0;
        }
    }
}

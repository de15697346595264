package io.heddle.perf.load.client;

import io.heddle.perf.load.wire.BrokerFaultException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Bytes that the socket has not accepted. Bounded: a broker that does not read for too long is a fault. */
final class SendBuffer {
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
                    "the broker does not read: " + MAXIMUM_BYTES + " bytes are waiting to be written");
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

    /** Writes as much as the socket accepts. */
    void write(SocketChannel channel) throws IOException {
        from += channel.write(ByteBuffer.wrap(bytes, from, to - from));
        if (from == to) {
            from = 0;
            to = 0;
        }
    }
}

package io.heddle.transport.listener;

import io.heddle.transport.codec.PacketBytes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A client made of nothing but a socket, so that it may misbehave. Gives up reading after a minute. */
final class LoopbackClient implements AutoCloseable {
    private final Socket socket = new Socket();

    LoopbackClient(InetSocketAddress server) throws IOException {
        this(server, 0);
    }

    /** A client whose system takes in few bytes that it does not read; 0 leaves that to the system. */
    LoopbackClient(InetSocketAddress server, int receiveBufferBytes) throws IOException {
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        socket.connect(server, 60_000);
    }

    LoopbackClient send(String notation) throws IOException {
        return send(PacketBytes.of(notation));
    }

    LoopbackClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** The next bytes, as hexadecimal digits; fewer at the end. */
    String read(int bytes) throws IOException {
        return PacketBytes.hex(socket.getInputStream().readNBytes(bytes));
    }

    /** What comes until the server closes. Fails when it resets the connection instead. */
    String readToEnd() throws IOException {
        return PacketBytes.hex(socket.getInputStream().readAllBytes());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

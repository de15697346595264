package io.heddle.transport.listener;

import io.heddle.transport.codec.PacketBytes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A client on a plain socket, so that it can violate the protocol. Reads time out after a minute. */
final class LoopbackClient implements AutoCloseable {
    private final Socket socket = new Socket();

    LoopbackClient(InetSocketAddress server) throws IOException {
        this(server, 0);
    }

    /** Creates a client with a small receive buffer; 0 selects the system's default. */
    LoopbackClient(InetSocketAddress server, int receiveBufferBytes) throws IOException {
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        socket.connect(server, 60_000);
    }

    /** Creates a client with an address of its own, such as 127.0.0.2. */
    static LoopbackClient from(String address, InetSocketAddress server) throws IOException {
        LoopbackClient client = new LoopbackClient();
        client.socket.bind(new InetSocketAddress(address, 0));
        client.socket.setSoTimeout(60_000);
        client.socket.connect(server, 60_000);
        return client;
    }

    private LoopbackClient() {}

    LoopbackClient send(String notation) throws IOException {
        return send(PacketBytes.of(notation));
    }

    LoopbackClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Sends the end of the stream, and still reads. */
    LoopbackClient endOutput() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Reads the next bytes as hexadecimal digits; fewer at the end of the stream. */
    String read(int bytes) throws IOException {
        return PacketBytes.hex(socket.getInputStream().readNBytes(bytes));
    }

    /** Reads until the server closes. Fails if the server resets the connection. */
    String readToEnd() throws IOException {
        return PacketBytes.hex(socket.getInputStream().readAllBytes());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package io.heddle.app.wiring;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A server on loopback that sends the same answer to each client. It serves each on a thread of its own, so that a client that stays or
 * fails concerns no other client.
 */
final class FakeServer implements AutoCloseable {
    /** The event that the answer waits for. */
    enum Wait {
        NOT_AT_ALL,
        FOR_A_LINE,
        FOR_EVER
    }

    private final ServerSocket socket;
    private final Wait wait;
    private final byte @Nullable [] answer;

    private FakeServer(ServerSocket socket, Wait wait, byte @Nullable [] answer) {
        this.socket = socket;
        this.wait = wait;
        this.answer = answer;
    }

    /** @param answer null to close the connection without an answer */
    static FakeServer answering(Wait wait, byte @Nullable [] answer) throws IOException {
        FakeServer server = new FakeServer(new ServerSocket(0, 8, InetAddress.getLoopbackAddress()), wait, answer);
        Thread.ofVirtual().name("fake-server").start(server::accept);
        return server;
    }

    String hostAndPort() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().name("fake-server-client").start(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = client.getInputStream();
            int next = in.read();
            while (next >= 0 && wait != Wait.NOT_AT_ALL && !(wait == Wait.FOR_A_LINE && next == '\n')) {
                next = in.read();
            }
            if (next >= 0 && answer != null) {
                client.getOutputStream().write(answer);
                client.shutdownOutput();
                in.transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException disconnected) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

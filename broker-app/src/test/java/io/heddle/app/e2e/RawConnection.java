package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** A client that sends an MQTT 3.1.1 CONNECT and then nothing; libraries would send pings. */
final class RawConnection implements AutoCloseable {
    private static final int READ_TIMEOUT_MILLIS = 50;

    private final Socket socket;

    private RawConnection(Socket socket) {
        this.socket = socket;
    }

    static RawConnection connect(int port, String clientId, int keepAliveSeconds) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            ByteArrayOutputStream packet = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(packet);
            out.writeByte(0x10);
            out.writeByte(12 + clientId.length());
            out.writeUTF("MQTT");
            out.writeByte(4);
            out.writeByte(2);
            out.writeShort(keepAliveSeconds);
            out.writeShort(clientId.length());
            out.write(clientId.getBytes(US_ASCII));
            socket.getOutputStream().write(packet.toByteArray());
            return new RawConnection(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the server has closed the connection; discards received packets. */
    boolean isClosedByServer() {
        try {
            while (socket.getInputStream().read() >= 0) {
                // Discards CONNACK and everything else.
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

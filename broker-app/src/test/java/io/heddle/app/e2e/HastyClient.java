package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;

/** Clients of MQTT 3.1.1 that send CONNECT and a QoS 0 message, and leave without waiting for CONNACK. */
enum HastyClient {
    /** Closes the connection. */
    CLOSES,
    /** Ends its output, and reads until the broker closes. */
    ENDS_OUTPUT,
    /** Sends DISCONNECT, and closes the connection. */
    DISCONNECTS;

    private static final int MAXIMUM_ANSWER_MILLIS = (int) Duration.ofMinutes(1).toMillis();

    void publish(int port, String clientId, String topic, String payload) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(MAXIMUM_ANSWER_MILLIS);
            socket.getOutputStream().write(packets(clientId, topic, payload));
            if (this == ENDS_OUTPUT) {
                socket.shutdownOutput();
                byte[] heard = socket.getInputStream().readAllBytes();
                if (heard.length != 4 || heard[0] != 0x20) {
                    throw new AssertionError("CONNACK expected, not " + heard.length + " bytes");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] packets(String clientId, String topic, String payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(0x10);
        out.writeByte(12 + clientId.length());
        out.writeUTF("MQTT");
        out.writeByte(4);
        out.writeByte(2);
        out.writeShort(60);
        out.writeUTF(clientId);
        out.writeByte(0x30);
        out.writeByte(2 + topic.length() + payload.length());
        out.writeUTF(topic);
        out.write(payload.getBytes(US_ASCII));
        if (this == DISCONNECTS) {
            out.writeByte(0xE0);
            out.writeByte(0);
        }
        return bytes.toByteArray();
    }
}

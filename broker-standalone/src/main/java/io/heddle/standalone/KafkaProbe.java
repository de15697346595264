package io.heddle.standalone;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Checks in Kafka's protocol whether a node is ready. An open listener is not sufficient: it opens before the node has joined the cluster.
 */
final class KafkaProbe {
    private static final short METADATA = 3;
    private static final short METADATA_VERSION = 1;
    private static final short SASL_HANDSHAKE = 17;
    private static final short SASL_HANDSHAKE_VERSION = 1;
    private static final short SASL_AUTHENTICATE = 36;
    private static final short SASL_AUTHENTICATE_VERSION = 0;
    private static final int CORRELATION = 1;
    private static final int MAXIMUM_RESPONSE_BYTES = 1 << 20;
    private static final int MINIMUM_RESPONSE_BYTES = 6;

    private KafkaProbe() {}

    /** Returns whether the node at this loopback port accepts the account and lists itself among the cluster's live nodes. */
    static boolean isRegistered(int port, int nodeId, String password, Duration timeout) {
        try (Socket socket = Loopback.connect(port, timeout)) {
            return logIn(socket, password) && lists(send(socket, metadataRequest()), nodeId);
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Returns whether the listener at this loopback port accepts the account. */
    static boolean accepts(int port, String password, Duration timeout) {
        try (Socket socket = Loopback.connect(port, timeout)) {
            return logIn(socket, password);
        } catch (IOException notYet) {
            return false;
        }
    }

    private static boolean logIn(Socket socket, String password) throws IOException {
        return isWithoutError(send(socket, handshakeRequest()))
                && isWithoutError(send(socket, authenticateRequest(password)));
    }

    private static ByteBuffer send(Socket socket, byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int length = in.readInt();
        if (length < MINIMUM_RESPONSE_BYTES || length > MAXIMUM_RESPONSE_BYTES) {
            throw new IOException("response with invalid length " + length);
        }
        byte[] response = new byte[length];
        in.readFully(response);
        return ByteBuffer.wrap(response);
    }

    /** A SaslHandshake request, version 1, for PLAIN. */
    static byte[] handshakeRequest() {
        return request(SASL_HANDSHAKE, SASL_HANDSHAKE_VERSION, body -> {
            body.writeShort("PLAIN".length());
            body.writeBytes("PLAIN");
        });
    }

    /** A SaslAuthenticate request, version 0, with the PLAIN message of the account (RFC 4616). */
    static byte[] authenticateRequest(String password) {
        byte[] message = ("\0" + KafkaAccount.USER + "\0" + password).getBytes(StandardCharsets.UTF_8);
        return request(SASL_AUTHENTICATE, SASL_AUTHENTICATE_VERSION, body -> {
            body.writeInt(message.length);
            body.write(message);
        });
    }

    /** A Metadata request, version 1, for no topic. */
    static byte[] metadataRequest() {
        return request(METADATA, METADATA_VERSION, body -> body.writeInt(0));
    }

    private interface Body {
        void write(DataOutputStream to) throws IOException;
    }

    private static byte[] request(short kind, short version, Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            // The length, which is set at the end.
            out.writeInt(0);
            out.writeShort(kind);
            out.writeShort(version);
            out.writeInt(CORRELATION);
            out.writeShort("heddle-probe".length());
            out.writeBytes("heddle-probe");
            body.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] request = bytes.toByteArray();
        ByteBuffer.wrap(request).putInt(request.length - Integer.BYTES);
        return request;
    }

    /** Returns whether a response to an authentication request has no error code. */
    static boolean isWithoutError(ByteBuffer response) {
        return response.getInt() == CORRELATION && response.getShort() == 0;
    }

    static boolean lists(ByteBuffer response, int nodeId) {
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

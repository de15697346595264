package io.heddle.app;

import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.mqtt.BinaryData;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last phase of the start: connects to the broker's own listener as any MQTT client would. Its user name and password are
 * random, known only to this object and good only while the check runs, so that it works whoever else may connect.
 */
final class SelfCheck implements StartupPhase, Authenticator {
    private static final int ANSWER_WITHIN_MILLIS = 10_000;
    private static final int CONNACK = 0x20;
    private static final byte[] DISCONNECT = {(byte) 0xE0, 0};

    private final String name = "heddle-self-check-" + UUID.randomUUID();
    private final byte[] password = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    private final Supplier<InetSocketAddress> listener;
    private volatile boolean running;

    SelfCheck(Supplier<InetSocketAddress> listener) {
        this.listener = listener;
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials shown) {
        BinaryData shownPassword = shown.password();
        boolean itself = running
                && name.equals(shown.userName())
                && shownPassword != null
                && MessageDigest.isEqual(password, shownPassword.array());
        return itself ? new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, name)) : null;
    }

    @Override
    public String name() {
        return "the check of the own listener";
    }

    @Override
    public void start() {
        InetSocketAddress address = reachable(listener.get());
        running = true;
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(ANSWER_WITHIN_MILLIS);
            socket.connect(address, ANSWER_WITHIN_MILLIS);
            socket.getOutputStream().write(connect());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int type = in.readUnsignedByte();
            in.readUnsignedByte();
            in.readUnsignedByte();
            int returnCode = in.readUnsignedByte();
            if (type != CONNACK || returnCode != 0) {
                throw new StartupException(
                        "the own listener " + address + " refused the self-check with return code " + returnCode
                                + ": the log says why",
                        null);
            }
            socket.getOutputStream().write(DISCONNECT);
        } catch (IOException e) {
            throw new StartupException(
                    "the own listener " + address + " does not answer (" + e.getMessage()
                            + "): check heddle.mqtt.bind (--bind) and the host's firewall",
                    e);
        } finally {
            running = false;
        }
    }

    /** A wildcard address is listened on, but connected to on loopback. */
    private static InetSocketAddress reachable(InetSocketAddress bound) {
        return bound.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), bound.getPort())
                : bound;
    }

    /** A CONNECT of MQTT 3.1.1 with clean session, user name and password, written out by hand. */
    private byte[] connect() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(body);
        out.writeUTF("MQTT");
        out.writeByte(4);
        out.writeByte(0b1100_0010);
        out.writeShort(30);
        out.writeUTF(name);
        out.writeUTF(name);
        out.writeShort(password.length);
        out.write(password);
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.write(0x10);
        packet.write(0x80 | (body.size() & 0x7F));
        packet.write(body.size() >>> 7);
        body.writeTo(packet);
        return packet.toByteArray();
    }

    @Override
    public void stop() {
        // Nothing is kept open.
    }
}

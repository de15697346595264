package io.heddle.app.wiring;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * The last proof before the broker admits clients and says that it is ready: connects to its own listener as any MQTT client would.
 * Nobody else is admitted before, so that a thousand clients that reconnect after a crash do not delay the answer.
 */
final class SelfCheck implements StartupPhase {
    private static final int ANSWER_WITHIN_MILLIS = 30_000;
    private static final int CONNACK = 0x20;
    private static final byte[] DISCONNECT = {(byte) 0xE0, 0};

    private final SelfCheckCredentials credentials;
    private final MqttListeners listeners;

    SelfCheck(SelfCheckCredentials credentials, MqttListeners listeners) {
        this.credentials = credentials;
        this.listeners = listeners;
    }

    @Override
    public String name() {
        return "the check of the own listener";
    }

    @Override
    public void start() {
        InetSocketAddress address = reachable(listeners.firstAddress());
        credentials.good(true);
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(ANSWER_WITHIN_MILLIS);
            socket.bind(new InetSocketAddress(address.getAddress(), 0));
            listeners.admitOnly(socket.getLocalPort());
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
            credentials.good(false);
        }
        listeners.admitAll();
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
        out.writeUTF(credentials.name());
        out.writeUTF(credentials.name());
        out.writeShort(credentials.password().length);
        out.write(credentials.password());
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

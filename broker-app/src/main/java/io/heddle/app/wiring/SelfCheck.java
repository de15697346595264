package io.heddle.app.wiring;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Connects to a listener of its own like any MQTT client before the broker accepts clients and is ready. Other clients are accepted only
 * after it, so that thousands of clients that reconnect after a crash do not delay it.
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
        return "the self-check";
    }

    @Override
    public void start() {
        InetSocketAddress address = listeners.selfCheckAddress();
        credentials.setValid(true);
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
                        "the MQTT listener " + address + " refused the self-check with return code " + returnCode
                                + ": see the log for the reason",
                        null);
            }
            socket.getOutputStream().write(DISCONNECT);
        } catch (IOException e) {
            throw new StartupException(
                    "the MQTT listener " + address + " does not respond to the self-check (" + e.getMessage()
                            + "): check the firewall of this machine",
                    e);
        } finally {
            credentials.setValid(false);
        }
        listeners.acceptAll();
    }

    /** Returns a CONNECT packet of MQTT 3.1.1 with Clean Session, User Name and Password. */
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
}

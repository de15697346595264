package io.heddle.perf.load.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One connection of a {@link SmallBroker}: reads packet by packet, writes under a lock. */
final class SmallConnection {
    private static final int BAD_USER_NAME_OR_PASSWORD = 0x86;

    private final SmallBroker broker;
    private final Socket socket;
    private boolean five;
    private int published;
    private int lastPacketId;
    private volatile @Nullable Pattern filter;
    private volatile int qos;
    // A delayed message. Guarded by this.
    private byte @Nullable [] late;

    SmallConnection(SmallBroker broker, Socket socket) {
        this.broker = broker;
        this.socket = socket;
    }

    void serve() {
        try (socket;
                DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
            while (packet(in.readUnsignedByte(), in)) {
                // Packets are handled in order.
            }
        } catch (IOException ended) {
            filter = null;
        }
    }

    void close() throws IOException {
        socket.close();
    }

    boolean wants(String topic) {
        Pattern wanted = filter;
        return wanted != null && wanted.matcher(topic).matches();
    }

    private boolean packet(int first, DataInputStream in) throws IOException {
        ByteBuffer body = ByteBuffer.wrap(in.readNBytes(length(in)));
        BrokerMisbehaviour misbehaviour = broker.misbehaviour;
        switch (first >> 4) {
            case 1 -> {
                return connect(body);
            }
            case 3 -> {
                int sentQos = (first >> 1) & 3;
                String topic = text(body);
                int packetId = sentQos > 0 ? body.getShort() : 0;
                if (five) {
                    body.position(body.position() + 1 + body.get(body.position()));
                }
                byte[] payload = new byte[body.remaining()];
                body.get(payload);
                if ((first & 1) != 0) {
                    broker.retained.add(topic);
                }
                broker.publish(topic, payload);
                if (sentQos > 0 && misbehaviour.acknowledgementReason() != BrokerMisbehaviour.SILENT) {
                    acknowledge(sentQos == 1 ? 4 : 5, packetId, misbehaviour.acknowledgementReason());
                }
                published++;
                return misbehaviour.closeAfter() == 0 || published < misbehaviour.closeAfter();
            }
            case 4, 7 -> broker.subscriberAcknowledgements.incrementAndGet();
            case 5 -> acknowledge(6, body.getShort(), 0);
            case 6 -> acknowledge(7, body.getShort(), 0);
            case 8 -> subscribe(body);
            case 10 -> write(0xB0, five ? new byte[] {body.get(), body.get(), 0} : new byte[] {body.get(), body.get()});
            case 12 -> {
                broker.pings.incrementAndGet();
                if (misbehaviour.answersPings()) {
                    write(0xD0, new byte[0]);
                }
            }
            case 14 -> {
                broker.disconnects.incrementAndGet();
                filter = null;
                return false;
            }
            default -> throw new IOException("Packet type " + (first >> 4));
        }
        return true;
    }

    private boolean connect(ByteBuffer body) throws IOException {
        body.position(6);
        five = body.get() == 5;
        int flags = body.get();
        int keepAlive = body.getShort();
        if (five) {
            body.position(body.position() + 1 + body.get(body.position()));
        }
        String clientId = text(body);
        String credentials = (flags & 0x80) != 0 ? " " + text(body) : "";
        credentials += (flags & 0x40) != 0 ? ":" + text(body) : "";
        broker.connects.add(
                clientId + ((flags & 2) != 0 ? " clean" : " persistent") + " keep alive " + keepAlive + credentials);
        int code = credentials.contains(":wrong-") ? BAD_USER_NAME_OR_PASSWORD : broker.misbehaviour.connectCode();
        write(0x20, five ? new byte[] {0, (byte) code, 0} : new byte[] {0, (byte) code});
        return code == 0;
    }

    private void subscribe(ByteBuffer body) throws IOException {
        byte high = body.get();
        byte low = body.get();
        if (five) {
            body.get();
        }
        String text = text(body);
        qos = Math.min(body.get(), broker.misbehaviour.grantedQos());
        broker.subscribes.add(text);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        answer.writeBytes(five ? new byte[] {high, low, 0} : new byte[] {high, low});
        answer.write(qos);
        while (body.hasRemaining()) {
            // Further filters are granted and match nothing.
            broker.subscribes.add(text(body));
            answer.write(body.get());
        }
        // Before SUBACK, which confirms it.
        filter = Pattern.compile(text.replace("+", "[^/]*").replace("/#", "(/.*)?"));
        write(0x90, answer.toByteArray());
    }

    synchronized void deliver(String topic, byte[] payload, BrokerMisbehaviour.Delivery how) {
        try {
            byte[] message =
                    message(topic, how == BrokerMisbehaviour.Delivery.CUT ? Arrays.copyOf(payload, 25) : payload);
            byte[] held = late;
            switch (how) {
                case NEVER -> {}
                case TWICE -> {
                    writePublish(message);
                    writePublish(message(topic, payload));
                }
                case LATE -> {
                    if (held == null) {
                        late = message;
                        return;
                    }
                    writePublish(message);
                }
                case FORGED -> {
                    byte[] forged = payload.clone();
                    forged[4] = 1;
                    writePublish(message(topic, forged));
                }
                case ONCE, CUT -> writePublish(message);
            }
            if (held != null) {
                late = null;
                writePublish(held);
            }
        } catch (IOException gone) {
            filter = null;
        }
    }

    private byte[] message(String topic, byte[] payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeUTF(topic);
        if (qos > 0) {
            lastPacketId = lastPacketId % 0xFFFF + 1;
            out.writeShort(lastPacketId);
        }
        if (five) {
            out.writeByte(0);
        }
        out.write(payload);
        return bytes.toByteArray();
    }

    private void writePublish(byte[] message) throws IOException {
        write(0x30 | (qos << 1), message);
    }

    private void acknowledge(int type, int packetId, int reason) throws IOException {
        byte high = (byte) (packetId >> 8);
        byte low = (byte) packetId;
        int first = (type << 4) | (type == 6 ? 2 : 0);
        write(first, reason == 0 ? new byte[] {high, low} : new byte[] {high, low, (byte) reason});
    }

    private synchronized void write(int first, byte[] body) throws IOException {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.write(first);
        int rest = body.length;
        while (rest > 127) {
            packet.write(rest % 128 + 128);
            rest /= 128;
        }
        packet.write(rest);
        packet.writeBytes(body);
        socket.getOutputStream().write(packet.toByteArray());
    }

    private static int length(DataInputStream in) throws IOException {
        int length = 0;
        int factor = 1;
        int next;
        do {
            next = in.readUnsignedByte();
            length += next % 128 * factor;
            factor *= 128;
        } while (next >= 128);
        return length;
    }

    private static String text(ByteBuffer body) {
        byte[] bytes = new byte[body.getShort()];
        body.get(bytes);
        return new String(bytes, UTF_8);
    }
}

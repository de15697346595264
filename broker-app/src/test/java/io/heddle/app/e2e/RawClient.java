package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
import io.netty.handler.codec.mqtt.MqttPubReplyMessageVariableHeader;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttReasonCodeAndPropertiesVariableHeader;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A passive client: the test decides on each packet it sends, when it reads, and when its connection breaks. It uses Netty's codec,
 * which the broker does not use. One thread.
 */
public final class RawClient implements AutoCloseable {
    static final int ANSWER_MILLIS = 60_000;
    private static final int MAXIMUM_PACKET_BYTES = 1 << 20;
    /** Result of {@link #closedBecause} without a DISCONNECT. */
    static final int NO_REASON = -1;

    private final Socket socket;
    private final int answerMillis;
    private final EmbeddedChannel codec =
            new EmbeddedChannel(MqttEncoder.INSTANCE, new MqttDecoder(MAXIMUM_PACKET_BYTES));
    private final List<String> received = Collections.synchronizedList(new ArrayList<>());
    private boolean sessionPresent;

    private RawClient(Socket socket, String clientId, int answerMillis) {
        this.socket = socket;
        this.answerMillis = answerMillis;
        FailureReport.add(this, () -> FailureReport.received("raw client " + clientId, List.copyOf(received)));
    }

    static RawClient open(int port, MqttConnectMessage connect, int receiveBufferBytes, int answerMillis) {
        try {
            Socket socket = new Socket();
            if (receiveBufferBytes > 0) {
                socket.setReceiveBufferSize(receiveBufferBytes);
            }
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(answerMillis);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            RawClient client = new RawClient(socket, connect.payload().clientIdentifier(), answerMillis);
            client.send(connect);
            MqttConnAckMessage connAck = (MqttConnAckMessage) client.next();
            MqttConnectReturnCode code = connAck.variableHeader().connectReturnCode();
            if (code != MqttConnectReturnCode.CONNECTION_ACCEPTED) {
                throw new RefusedConnect(code);
            }
            client.sessionPresent = connAck.variableHeader().isSessionPresent();
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends CONNECT with a password from an address of this machine, without waiting for the answer. */
    static RawClient guess(int port, String fromAddress, String userName, String password) {
        try {
            Socket socket = new Socket();
            socket.bind(new InetSocketAddress(fromAddress, 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            RawClient client = new RawClient(socket, "of " + userName, ANSWER_MILLIS);
            client.send(MqttMessageBuilders.connect()
                    .clientId("")
                    .cleanSession(true)
                    .protocolVersion(MqttVersion.MQTT_3_1_1)
                    .username(userName)
                    .password(password.getBytes(UTF_8))
                    .build());
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the Session Present flag of CONNACK. */
    boolean sessionPresent() {
        return sessionPresent;
    }

    // Sending.

    void send(MqttMessage packet) {
        codec.writeOutbound(packet);
        for (ByteBuf bytes = codec.readOutbound(); bytes != null; bytes = codec.readOutbound()) {
            try {
                bytes.readBytes(socket.getOutputStream(), bytes.readableBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                bytes.release();
            }
        }
    }

    /** Subscribes and waits for SUBACK, which must be the next packet. */
    public RawClient subscribe(String topicFilter, int qos) {
        send(MqttMessageBuilders.subscribe()
                .messageId(1)
                .addSubscription(MqttQoS.valueOf(qos), topicFilter)
                .build());
        expect(MqttMessageType.SUBACK);
        return this;
    }

    /** Subscribes with a Subscription Identifier, or without one if it is 0, and waits for SUBACK. */
    void subscribe(String topicFilter, int qos, int identifier) {
        MqttProperties properties = new MqttProperties();
        if (identifier > 0) {
            properties.add(new IntegerProperty(MqttProperties.SUBSCRIPTION_IDENTIFIER, identifier));
        }
        send(MqttMessageBuilders.subscribe()
                .messageId(1)
                .addSubscription(MqttQoS.valueOf(qos), topicFilter)
                .properties(properties)
                .build());
        expect(MqttMessageType.SUBACK);
    }

    void publish(String topic, String payload, int qos, int packetId, boolean duplicate) {
        send(new MqttPublishMessage(
                new MqttFixedHeader(MqttMessageType.PUBLISH, duplicate, MqttQoS.valueOf(qos), false, 0),
                new MqttPublishVariableHeader(topic, packetId),
                Unpooled.wrappedBuffer(payload.getBytes(UTF_8))));
    }

    /** Sends PUBACK, PUBREC, PUBREL or PUBCOMP. */
    void answer(MqttMessageType type, int packetId) {
        MqttQoS flags = type == MqttMessageType.PUBREL ? MqttQoS.AT_LEAST_ONCE : MqttQoS.AT_MOST_ONCE;
        send(new MqttMessage(
                new MqttFixedHeader(type, false, flags, false, 0), MqttMessageIdVariableHeader.from(packetId)));
    }

    /** Sends PUBACK or PUBREC with an error; MQTT 5.0 only. */
    void refuse(MqttMessageType type, int packetId, byte reason) {
        send(new MqttMessage(
                new MqttFixedHeader(type, false, MqttQoS.AT_MOST_ONCE, false, 0),
                new MqttPubReplyMessageVariableHeader(packetId, reason, MqttProperties.NO_PROPERTIES)));
    }

    /** Sends DISCONNECT with a reason code; MQTT 5.0 only. */
    void disconnect(byte reason) {
        send(MqttMessageBuilders.disconnect().reasonCode(reason).build());
    }

    // Reading.

    /** Returns the next packet; fails if none arrives in time. */
    MqttMessage next() throws IOException {
        codec.writeInbound(Unpooled.wrappedBuffer(awaitPacket()));
        MqttMessage packet = codec.readInbound();
        if (packet == null || packet.decoderResult().isFailure()) {
            throw new AssertionError("not a packet: " + packet);
        }
        received.add(RawPacketText.summary(packet));
        return packet;
    }

    private byte[] awaitPacket() throws IOException {
        try {
            return readPacket();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("no packet within " + answerMillis + " ms" + FailureReport.text(), e);
        }
    }

    private byte[] readPacket() throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.write(readByte(in));
        int length = 0;
        int shift = 0;
        int next;
        do {
            next = readByte(in);
            packet.write(next);
            length |= (next & 0x7F) << shift;
            shift += 7;
        } while (next >= 0x80);
        byte[] rest = in.readNBytes(length);
        if (rest.length < length) {
            throw new EOFException("the broker has closed the connection within a packet");
        }
        packet.write(rest);
        return packet.toByteArray();
    }

    private static int readByte(InputStream in) throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the broker has closed the connection");
        }
        return next;
    }

    /** Returns packet identifier and reason code of the next packet, which must have this type. */
    Answer expect(MqttMessageType type) {
        try {
            MqttMessage packet = next();
            if (packet.fixedHeader().messageType() != type) {
                throw new AssertionError(type + " expected, not " + packet);
            }
            int reason = packet.variableHeader() instanceof MqttPubReplyMessageVariableHeader reply
                    ? Byte.toUnsignedInt(reply.reasonCode())
                    : 0;
            return new Answer(((MqttMessageIdVariableHeader) packet.variableHeader()).messageId(), reason);
        } catch (IOException e) {
            throw new AssertionError(type + " expected", e);
        }
    }

    /** An acknowledgement. */
    record Answer(int packetId, int reason) {}

    /** Returns the next packet, which must be a PUBLISH. */
    public RawPublish message() {
        try {
            MqttMessage packet = next();
            if (packet instanceof MqttPublishMessage publish) {
                return RawPublish.of(publish);
            }
            throw new AssertionError("PUBLISH expected, not " + packet);
        } catch (IOException e) {
            throw new AssertionError("PUBLISH expected", e);
        }
    }

    /** Returns the next messages and completes their QoS exchanges; no other packet may come between them. */
    List<RawPublish> take(int count) {
        List<RawPublish> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(message());
        }
        List<RawPublish> exactlyOnce =
                messages.stream().filter(message -> message.qos() == 2).toList();
        for (RawPublish message : messages) {
            answer(message.qos() == 2 ? MqttMessageType.PUBREC : MqttMessageType.PUBACK, message.packetId());
        }
        for (RawPublish message : exactlyOnce) {
            if (expect(MqttMessageType.PUBREL).packetId() != message.packetId()) {
                throw new AssertionError("PUBRELs must come in the order of the PUBRECs");
            }
            answer(MqttMessageType.PUBCOMP, message.packetId());
        }
        return messages;
    }

    /**
     * Returns the messages up to the answer to a ping. The broker answers after it has processed this client's earlier packets.
     * Messages of other publishers may still wait for their event loop: see {@link BrokerUnderTest#letLoopsCatchUp}.
     */
    public List<RawPublish> messagesUntilPing() {
        send(MqttMessage.PINGREQ);
        List<RawPublish> messages = new ArrayList<>();
        try {
            for (MqttMessage packet = next();
                    packet.fixedHeader().messageType() != MqttMessageType.PINGRESP;
                    packet = next()) {
                if (!(packet instanceof MqttPublishMessage publish)) {
                    throw new AssertionError("PUBLISH or PINGRESP expected, not " + packet);
                }
                messages.add(RawPublish.of(publish));
            }
        } catch (IOException e) {
            throw new AssertionError("PINGRESP expected", e);
        }
        return messages;
    }

    /** Returns all packets up to the answer to a ping, as {@link RawPacketText#described}. */
    List<String> packetsUntilPing() {
        send(MqttMessage.PINGREQ);
        List<String> packets = new ArrayList<>();
        try {
            for (MqttMessage packet = next();
                    packet.fixedHeader().messageType() != MqttMessageType.PINGRESP;
                    packet = next()) {
                packets.add(RawPacketText.described(packet));
            }
        } catch (IOException e) {
            throw new AssertionError("PINGRESP expected", e);
        }
        return packets;
    }

    /** Returns the next packet, as {@link RawPacketText#described}. */
    String packet() {
        try {
            return RawPacketText.described(next());
        } catch (IOException e) {
            throw new AssertionError("a packet expected", e);
        }
    }

    /** Returns all packets up to the last of this many messages, as {@link RawPacketText#described}. */
    List<String> packetsUntilMessages(int count) {
        List<String> packets = new ArrayList<>();
        int messages = 0;
        try {
            while (messages < count) {
                String packet = RawPacketText.described(next());
                packets.add(packet);
                messages += packet.startsWith("PUBLISH") ? 1 : 0;
            }
        } catch (IOException e) {
            throw new AssertionError(count + " messages expected, and only " + packets + " came", e);
        }
        return packets;
    }

    /** Reads until the broker closes; returns the reason code of its DISCONNECT, or {@link #NO_REASON}. */
    int closedBecause() {
        int reason = NO_REASON;
        try {
            while (true) {
                if (next().variableHeader() instanceof MqttReasonCodeAndPropertiesVariableHeader disconnect) {
                    reason = Byte.toUnsignedInt(disconnect.reasonCode());
                }
            }
        } catch (EOFException closed) {
            return reason;
        } catch (IOException e) {
            throw new AssertionError("an orderly end of the connection was expected", e);
        }
    }

    /** Returns all packets that arrive before the connection ends in any way, as {@link RawPacketText#described}. */
    List<String> packetsUntilEnd() {
        List<String> packets = new ArrayList<>();
        try {
            while (true) {
                packets.add(RawPacketText.described(next()));
            }
        } catch (IOException ended) {
            return packets;
        }
    }

    /** Disconnects normally; returns when the broker has closed the connection. */
    void leave() {
        disconnect((byte) 0);
        int reason = closedBecause();
        if (reason != NO_REASON) {
            throw new AssertionError(
                    "nothing but the end of the connection was expected, not a DISCONNECT because of " + reason);
        }
        close();
    }

    /** Resets the connection. */
    void cut() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        FailureReport.remove(this);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.heddle.transport.codec;

import static io.heddle.transport.codec.PacketReader.malformed;
import static io.heddle.transport.codec.PacketReader.protocolError;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the bytes of a client's connection to packets. Owned by its event loop. The first violation is fired down the pipeline as a
 * {@link ProtocolException}, after the complete packets before it; nothing is decoded after it.
 *
 * <p>States: awaiting CONNECT (version unknown; only CONNECT, at most {@link PacketLimits#maximumConnectBytes}), decoding,
 * failed. Bound: one packet's bytes, at most {@link PacketLimits#maximumPacketBytes}, plus the bytes of one read, which stay here
 * while the {@link Gate} is closed, even after the connection is lost ({@link #nextOfRemainder}), and
 * {@link UnfinishedPackets}.
 */
@HotPath
public final class MqttDecoder extends ByteToMessageDecoder {
    /** The size of the smallest read buffer; smaller packets need no accounting. */
    private static final int SMALL_PACKET_BYTES = 1024;

    private static final int SUBSCRIBE = PacketType.SUBSCRIBE.number();
    private static final int UNSUBSCRIBE = PacketType.UNSUBSCRIBE.number();

    private final PacketLimits limits;
    private final ReceivedBytes receivedBytes;
    private final PacketReader reader;
    private final Gate gate;
    private boolean inputEnded;
    // Received before the connection was lost, waiting for the gate.
    private @Nullable ByteBuf undecoded;
    // Of the partially received packet and of bytes that wait for the gate.
    private final UnfinishedCharge charge;
    private @Nullable MqttVersion version;
    // As sent in CONNECT.
    private String clientId = "";
    private boolean failed;

    /**
     * Creates a decoder, which learns the version from CONNECT.
     *
     * @param topicNames of the event loop, shared by decoders with the same limits
     * @param unfinished of the node
     * @param gate of the connection
     */
    public MqttDecoder(
            PacketLimits limits,
            ReceivedBytes receivedBytes,
            TopicNames topicNames,
            UnfinishedPackets unfinished,
            Gate gate) {
        this.charge = new UnfinishedCharge(unfinished);
        this.gate = gate;
        this.limits = limits;
        this.receivedBytes = receivedBytes;
        this.reader = new PacketReader(limits, topicNames);
    }

    /** Decides when packets are decoded. Called on the event loop. */
    public interface Gate {
        Gate OPEN = new Gate() {
            @Override
            public boolean admitsPacket(boolean isHeavy) {
                return true;
            }

            @Override
            public boolean isPaused() {
                return false;
            }

            @Override
            public boolean isConnecting() {
                return false;
            }

            @Override
            public void onUnfinished(int bytes) {}
        };

        /**
         * Returns whether a packet may be decoded now. If not, the received bytes stay undecoded until the next read, which may
         * be empty. After the connection is lost, {@link #nextOfRemainder} provides them.
         *
         * @param isHeavy whether it is a SUBSCRIBE or UNSUBSCRIBE of 1 KB or more, whose filters may take as long as thousands of
         *     other packets
         */
        boolean admitsPacket(boolean isHeavy);

        /** Returns whether the client is not accepted yet, so that the bytes behind its CONNECT are those of a stranger. */
        boolean isConnecting();

        boolean isPaused();

        /** The admitted packet is incomplete: so many of its bytes have arrived. */
        void onUnfinished(int bytes);
    }

    /** Receives the number of bytes of every read, on the event loop. */
    @FunctionalInterface
    public interface ReceivedBytes {
        void received(int bytes);
    }

    /**
     * Returns the client's version, or null while it is unknown. For a client with an unsupported version: the version in which
     * its CONNACK is encoded.
     */
    public @Nullable MqttVersion version() {
        return version;
    }

    /** Returns the client id of CONNECT for log lines; empty before it and for a client without one. */
    public String clientId() {
        return clientId;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof ByteBuf bytes) {
            receivedBytes.received(bytes.readableBytes());
        }
        super.channelRead(context, message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        if (gate.isPaused()) {
            // The superclass would request another read, because this one produced no packet.
            discardSomeReadBytes();
            context.fireChannelReadComplete();
        } else {
            super.channelReadComplete(context);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        inputEnded |= event instanceof ChannelInputShutdownEvent;
        super.userEventTriggered(context, event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        // Received packets, including DISCONNECT, are still processed in order.
        inputEnded = true;
        super.channelInactive(context);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (!failed) {
            try {
                if (!gate.admitsPacket(isHeavy(in))) {
                    chargeUndecoded(in.readableBytes());
                    if (inputEnded) {
                        undecoded = in.readRetainedSlice(in.readableBytes());
                    }
                    return;
                }
                MqttPacket packet = decode(in);
                if (packet != null) {
                    out.add(packet);
                }
                return;
            } catch (ProtocolException fault) {
                failed = true;
                charge.release();
                reader.end();
                // Skipped before the answer, which may close the connection and release the bytes.
                in.skipBytes(in.readableBytes());
                context.fireExceptionCaught(fault);
                return;
            }
        }
        in.skipBytes(in.readableBytes());
    }

    private static boolean isHeavy(ByteBuf in) {
        int start = in.readerIndex();
        int number = in.getUnsignedByte(start) >>> 4;
        return (number == SUBSCRIBE || number == UNSUBSCRIBE)
                // Remaining length of at least 1,024.
                && in.readableBytes() > 2
                && in.getUnsignedByte(start + 1) >= 0x80
                && in.getUnsignedByte(start + 2) >= 8;
    }

    /** Returns the next packet, or null if it is incomplete. Parses the fixed header (at most 5 bytes) again with every read. */
    private @Nullable MqttPacket decode(ByteBuf in) {
        int start = in.readerIndex();
        int readable = in.readableBytes();
        if (version == null && ForeignProtocol.isUndecided(in)) {
            return null;
        }
        int firstByte = in.getUnsignedByte(start);
        PacketType type = packetType(firstByte, in);
        int length = 0;
        int header = 1;
        int next;
        do {
            if (header > VariableByteInteger.MAXIMUM_BYTES) {
                throw malformed("the remaining length has more than four bytes");
            }
            if (header >= readable) {
                return null;
            }
            next = in.getUnsignedByte(start + header);
            length |= (next & 0x7F) << (7 * (header - 1));
            header++;
        } while (next >= 0x80);
        if (next == 0 && header > 2) {
            throw malformed("the remaining length is not encoded in the fewest bytes"); // [MQTT-1.5.5-1]
        }
        if (header + length > (isStranger() ? limits.maximumConnectBytes() : limits.maximumPacketBytes())) {
            throw new ProtocolException(
                    ReasonCode.PACKET_TOO_LARGE,
                    "a packet larger than this server accepts: bytes=" + ((long) header + length)
                            + (type == PacketType.PUBLISH ? PublishCodec.topicOf(in, start + header) : ""),
                    packetLimit());
        }
        if (readable < header + length) {
            gate.onUnfinished(readable);
            chargeUnfinished(readable, header + length);
            return null;
        }
        charge.release();
        in.skipBytes(header);
        reader.begin(in, length);
        MqttPacket packet = decode(type, firstByte & 0x0F);
        reader.requireNothingLeft();
        reader.end();
        return packet;
    }

    private boolean isStranger() {
        return version == null || gate.isConnecting();
    }

    private Limit packetLimit() {
        return isStranger()
                ? new Limit("heddle.mqtt.maximum-connect-size", limits.maximumConnectBytes())
                : new Limit("heddle.mqtt.maximum-packet-size", limits.maximumPacketBytes());
    }

    /**
     * Charges received bytes, not the announced size, so that a few bytes that announce a large packet cannot block other
     * clients. A growing buffer is up to twice the size of its content; twice that amount is charged, so that few reads need
     * another charge.
     */
    private void chargeUnfinished(int arrivedBytes, int packetBytes) {
        if (arrivedBytes >= SMALL_PACKET_BYTES && 2L * arrivedBytes > charge.bytes()) {
            charge(Math.min(4L * arrivedBytes, 2L * packetBytes), "memory for partially received packets is exhausted");
        }
    }

    /** Charges bytes that wait for the gate like those of unfinished packets. */
    private void chargeUndecoded(int readable) {
        if (readable >= SMALL_PACKET_BYTES && readable > charge.bytes()) {
            charge(readable, "memory for received packets is exhausted");
        }
    }

    private void charge(long bytes, String refusal) {
        charge.raise(bytes, isStranger(), refusal);
    }

    /**
     * Returns whether the connection was lost while received bytes were undecoded, because the {@link Gate} was closed. Then the caller must take
     * them until {@link #nextOfRemainder} returns null, or drop them.
     */
    public boolean hasRemainder() {
        return undecoded != null;
    }

    /** Returns whether the next packet of the remainder is heavy, see {@link Gate#admitsPacket}. */
    public boolean isNextHeavy() {
        return undecoded != null && undecoded.isReadable() && isHeavy(undecoded);
    }

    /**
     * Returns the next packet of the remainder, which the gate must admit, or null if no complete one is left.
     *
     * @throws ProtocolException for the first violation; nothing can be decoded after it
     */
    public @Nullable MqttPacket nextOfRemainder() {
        ByteBuf in = undecoded;
        return in == null || !in.isReadable() ? null : decode(in);
    }

    /** Releases the bytes of the remainder. */
    public void dropRemainder() {
        if (undecoded != null) {
            undecoded.release();
            undecoded = null;
        }
        reader.end();
        charge.release();
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        if (undecoded == null) {
            charge.release();
        }
    }

    private PacketType packetType(int firstByte, ByteBuf in) {
        if (version == null) {
            ProtocolException foreign = ForeignProtocol.recognise(in);
            if (foreign != null) {
                throw foreign;
            }
        }
        PacketType type = PacketType.ofFirstByte(firstByte, version);
        if (version == null && type != PacketType.CONNECT) {
            throw protocolError("the first packet is not CONNECT"); // [MQTT-3.1.0-1]
        }
        if (version != null && type == PacketType.CONNECT) {
            throw protocolError("a second CONNECT"); // [MQTT-3.1.0-2]
        }
        return type;
    }

    private MqttPacket decode(PacketType type, int flags) {
        MqttVersion spoken = version;
        if (spoken == null) {
            return decodeConnect(flags);
        }
        return switch (type) {
            case PUBLISH -> PublishCodec.decode(reader, flags, spoken);
            case PUBACK, PUBREC, PUBREL, PUBCOMP -> AcknowledgementCodec.decode(reader, type, spoken);
            case PINGREQ -> PingReqPacket.INSTANCE;
            case SUBSCRIBE -> SubscribeCodec.decode(reader, spoken);
            case UNSUBSCRIBE -> UnsubscribeCodec.decode(reader, spoken);
            case DISCONNECT -> DisconnectCodec.decode(reader, spoken);
            case AUTH -> AuthCodec.decode(reader, spoken);
            case CONNECT, CONNACK, SUBACK, UNSUBACK, PINGRESP ->
                throw new IllegalStateException(type + " was not refused by its first byte");
        };
    }

    private ConnectPacket decodeConnect(int flags) {
        String protocolName = reader.readString();
        int protocolLevel = reader.readByte();
        MqttVersion named = MqttVersion.of(protocolName, protocolLevel);
        if (named == null) {
            // MQTT 3.1.1 requires CONNACK with return code 1; MQTT 5.0 leaves the answer to the server
            // [MQTT-3.1.2-2].
            version = MqttVersion.V3_1_1;
            throw new ProtocolException(
                    ReasonCode.UNSUPPORTED_PROTOCOL_VERSION, "this server speaks MQTT 3.1, 3.1.1 and 5.0");
        }
        if (flags != 0 && named != MqttVersion.V3_1) {
            throw malformed("reserved flags in the fixed header");
        }
        version = named;
        ConnectPacket connect = ConnectCodec.decode(reader, named);
        clientId = connect.clientId();
        return connect;
    }
}

package io.heddle.transport.websocket;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.transport.connection.NettyConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Reads the frames of one client and passes the unmasked bytes of its data frames on as they arrive. MQTT packets need not be aligned to
 * frames [MQTT-6.0.0-2]. Answers Ping, and Close. Owned by the connection's event loop.
 *
 * <p>States: in the header of a frame; in its data; ended, after a violation or a Close frame, when nothing more is read. Bound: the data of
 * one control frame, 125 bytes. Of several Ping frames in one read, the last one is answered (RFC 6455, section 5.5.3).
 */
@HotPath
final class WebSocketInput extends ChannelInboundHandlerAdapter {
    private static final int FINAL = 0x80;
    private static final int RESERVED = 0x70;
    private static final int MASKED = 0x80;
    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int FIRST_CONTROL = 8;
    private static final int LONGEST_CONTROL = 125;
    private static final int MEDIUM_FOLLOWS = 126;
    private static final int LONG_FOLLOWS = 127;
    private static final int LONGEST_MEDIUM = 65_535;
    private static final int MASK_BYTES = 4;

    // Dependencies.
    private final NettyConnection connection;
    private final WebSocketOutput output;
    private final Limit maximumFrameBytes;
    private final Duration closeTimeout;
    // Per connection.
    private boolean ended;
    private boolean fragmented;
    private final byte[] pingData = new byte[LONGEST_CONTROL];
    private int pingLength = -1;
    // Per frame.
    private int headerBytes;
    private int headerLength = 2;
    private boolean isFinal;
    private int opcode;
    private long length;
    private int mask;
    private final byte[] control = new byte[LONGEST_CONTROL];
    private int controlLength;

    /**
     * Creates the reader of a connection whose handshake is complete.
     *
     * @param maximumFrameBytes the maximum size of the data of a frame, at least 1, and its setting
     * @param closeTimeout the time to write unsent output after the client's Close frame
     */
    WebSocketInput(NettyConnection connection, WebSocketOutput output, Limit maximumFrameBytes, Duration closeTimeout) {
        this.connection = connection;
        this.output = output;
        this.maximumFrameBytes = maximumFrameBytes;
        this.closeTimeout = closeTimeout;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        boolean isPassedOn = false;
        try {
            while (!isPassedOn && !ended && in.isReadable()) {
                if (headerBytes < headerLength) {
                    readHeader(in.readUnsignedByte());
                    if (headerBytes == headerLength && length == 0) {
                        endFrame(context);
                    }
                } else if (opcode >= FIRST_CONTROL) {
                    readControl(context, in);
                } else if (length >= in.readableBytes()) {
                    isPassedOn = true;
                    passOn(context, in);
                } else {
                    passOn(context, in.readRetainedSlice((int) length));
                }
            }
        } catch (ProtocolException violation) {
            ended = true;
            context.fireExceptionCaught(violation);
        } finally {
            if (!isPassedOn) {
                in.release();
            }
        }
    }

    private void readHeader(int next) {
        switch (headerBytes++) {
            case 0 -> readFirst(next);
            case 1 -> readSecond(next);
            default -> {
                if (headerBytes <= headerLength - MASK_BYTES) {
                    length = length << 8 | next;
                    if (headerBytes == headerLength - MASK_BYTES) {
                        checkLength();
                    }
                } else {
                    mask = mask << 8 | next;
                }
            }
        }
    }

    private void readFirst(int first) {
        isFinal = (first & FINAL) != 0;
        opcode = first & 0x0F;
        if ((first & RESERVED) != 0) {
            throw violation(CloseStatus.PROTOCOL_ERROR, "a WebSocket frame uses an extension, and none was agreed on");
        }
        switch (opcode) {
            case CONTINUATION -> require(fragmented, "a WebSocket frame continues no message");
            case BINARY -> require(!fragmented, "a WebSocket message begins within another one");
            case TEXT ->
                throw violation(
                        CloseStatus.UNSUPPORTED_DATA,
                        "a WebSocket frame has text, but MQTT uses binary frames"); // [MQTT-6.0.0-1]
            case CLOSE, PING, PONG -> require(isFinal, "a WebSocket control frame is fragmented");
            default -> throw violation(CloseStatus.PROTOCOL_ERROR, "a WebSocket frame has a reserved opcode");
        }
        if (opcode < FIRST_CONTROL) {
            fragmented = !isFinal;
        }
    }

    private void readSecond(int second) {
        require((second & MASKED) != 0, "a WebSocket frame of a client is not masked");
        length = second & ~MASKED;
        require(
                opcode < FIRST_CONTROL || length <= LONGEST_CONTROL,
                "a WebSocket control frame has more than 125 bytes");
        headerLength = 2 + MASK_BYTES + (length == MEDIUM_FOLLOWS ? 2 : length == LONG_FOLLOWS ? 8 : 0);
        if (length > LONGEST_CONTROL) {
            length = 0;
        } else {
            checkLength();
        }
    }

    private void checkLength() {
        boolean isShortest = switch (headerLength - MASK_BYTES) {
            case 2 -> true;
            case 4 -> length > LONGEST_CONTROL;
            default -> length < 0 || length > LONGEST_MEDIUM;
        };
        require(isShortest && length >= 0, "the length of a WebSocket frame is malformed");
        if (length > maximumFrameBytes.value()) {
            output.closeWith(CloseStatus.TOO_BIG);
            throw new ProtocolException(
                    ReasonCode.PACKET_TOO_LARGE,
                    "a WebSocket frame is larger than this server accepts",
                    maximumFrameBytes);
        }
    }

    private void readControl(ChannelHandlerContext context, ByteBuf in) {
        int part = (int) Math.min(length, in.readableBytes());
        unmask(in, part);
        in.readBytes(control, controlLength, part);
        controlLength += part;
        length -= part;
        if (length == 0) {
            endFrame(context);
        }
    }

    /** Unmasks a part of the data and passes it on. */
    private void passOn(ChannelHandlerContext context, ByteBuf part) {
        int bytes = part.readableBytes();
        unmask(part, bytes);
        length -= bytes;
        if (length == 0) {
            endFrame(context);
        }
        context.fireChannelRead(part);
    }

    /** Unmasks bytes in place, and turns the mask to the byte that follows. */
    private void unmask(ByteBuf data, int bytes) {
        int index = data.readerIndex();
        int end = index + bytes;
        long wide = ((long) mask << 32) | (mask & 0xFFFF_FFFFL);
        for (; index + 8 <= end; index += 8) {
            data.setLong(index, data.getLong(index) ^ wide);
        }
        for (; index < end; index++) {
            mask = Integer.rotateLeft(mask, 8);
            data.setByte(index, data.getByte(index) ^ mask);
        }
    }

    private void endFrame(ChannelHandlerContext context) {
        headerBytes = 0;
        headerLength = 2;
        mask = 0;
        if (opcode == PING) {
            System.arraycopy(control, 0, pingData, 0, controlLength);
            pingLength = controlLength;
        } else if (opcode == CLOSE) {
            require(controlLength != 1, "a WebSocket Close frame has a status of one byte");
            onClose(context);
        }
        controlLength = 0;
    }

    /**
     * The client sends nothing more. Packets before the Close frame are still processed, as after the end of a TCP stream. Answers that
     * are ready precede the Close frame of this side; later ones cannot be sent any more (RFC 6455, section 5.5.1).
     */
    private void onClose(ChannelHandlerContext context) {
        ended = true;
        if (output.isEnded()) {
            var _ = context.close();
            return;
        }
        output.closeWith(CloseStatus.answerTo(
                controlLength == 0 ? CloseStatus.NORMAL : ((control[0] & 0xFF) << 8) | (control[1] & 0xFF)));
        Future<?> deadline = context.executor()
                .schedule(
                        () -> {
                            var _ = context.close();
                        },
                        closeTimeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        var _ = context.channel().closeFuture().addListener(_ -> deadline.cancel(false));
        connection.flush();
        var _ = context.writeAndFlush(output.lastFrame(context.alloc())).addListener(_ -> {
            var _ = context.close();
        });
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (pingLength >= 0 && connection.isOpen() && !output.isEnded()) {
            var _ = context.writeAndFlush(WebSocketOutput.pong(context.alloc(), pingData, pingLength));
        }
        pingLength = -1;
        context.fireChannelReadComplete();
    }

    private void require(boolean isAllowed, String violation) {
        if (!isAllowed) {
            throw violation(CloseStatus.PROTOCOL_ERROR, violation);
        }
    }

    private ProtocolException violation(int status, String detail) {
        output.closeWith(status);
        return new ProtocolException(ReasonCode.PROTOCOL_ERROR, detail);
    }
}

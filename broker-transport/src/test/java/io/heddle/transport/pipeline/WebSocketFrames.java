package io.heddle.transport.pipeline;

import io.heddle.transport.codec.PacketBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Frames of a WebSocket client, and its request. */
public final class WebSocketFrames {
    static final int CONTINUATION = 0x00;
    static final int TEXT = 0x01;
    public static final int BINARY = 0x02;
    static final int CLOSE = 0x08;
    static final int PING = 0x09;
    public static final int FINAL = 0x80;

    /** Different bytes, so that a wrong rotation is found. */
    private static final byte[] MASK = {0x12, (byte) 0xF4, 0x56, (byte) 0x9A};

    private WebSocketFrames() {}

    /** Returns a request for a path; the key and the answer are those of RFC 6455. */
    static String request(String path, String... headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: broker\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                + String.join(
                        "", Arrays.stream(headers).map(each -> each + "\r\n").toList())
                + "\r\n";
    }

    /** Opens a WebSocket for MQTT; returns the data of the frames that the server sends, until its Close frame. */
    public static InputStream open(Socket socket, String path) throws IOException {
        socket.getOutputStream()
                .write(request(path, "Sec-WebSocket-Protocol: mqtt").getBytes(StandardCharsets.UTF_8));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("\r\n\r\n")) {
            answer.append((char) in.readUnsignedByte());
        }
        if (!answer.toString().startsWith("HTTP/1.1 101 ")) {
            throw new IOException("no WebSocket was opened: " + answer);
        }
        return new ReceivedData(in);
    }

    private static final class ReceivedData extends InputStream {
        private final DataInputStream in;
        private long leftInFrame;

        ReceivedData(DataInputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            while (leftInFrame == 0) {
                int first = in.read();
                if (first < 0 || first == (FINAL | CLOSE)) {
                    return -1;
                }
                if (first != (FINAL | BINARY)) {
                    throw new IOException("the server has sent a frame that begins with " + first);
                }
                int size = in.readUnsignedByte();
                leftInFrame = size < 126 ? size : size == 126 ? in.readUnsignedShort() : in.readLong();
            }
            int read = in.read(bytes, from, (int) Math.min(length, leftInFrame));
            leftInFrame -= Math.max(read, 0);
            return read;
        }
    }

    /** Returns a masked frame. */
    public static byte[] frame(int first, byte... data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first);
        if (data.length <= 125) {
            out.write(0x80 | data.length);
        } else if (data.length <= 0xFFFF) {
            out.write(0x80 | 126);
            out.write(data.length >> 8);
            out.write(data.length);
        } else {
            out.write(0x80 | 127);
            out.writeBytes(new byte[4]);
            for (int shift = 24; shift >= 0; shift -= 8) {
                out.write(data.length >> shift);
            }
        }
        out.writeBytes(MASK);
        for (int i = 0; i < data.length; i++) {
            out.write(data[i] ^ MASK[i % 4]);
        }
        return out.toByteArray();
    }

    /** Returns a frame that is a complete message of packets. */
    static byte[] packets(String notation) {
        return frame(FINAL | BINARY, PacketBytes.of(notation));
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}

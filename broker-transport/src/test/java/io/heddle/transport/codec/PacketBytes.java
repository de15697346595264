package io.heddle.transport.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A small notation for packets, read from left to right: {@code 0A1B} hexadecimal bytes, {@code <text>} a text with its
 * two-byte length, {@code 'text'} its bytes alone, <code>{ ... }</code> a group with its variable byte length in front.
 */
public final class PacketBytes {
    private final String notation;
    private int position;

    private PacketBytes(String notation) {
        this.notation = notation;
    }

    /** Parses the notation to bytes. */
    public static byte[] of(String notation) {
        PacketBytes reader = new PacketBytes(notation);
        byte[] bytes = reader.group();
        if (reader.position < notation.length()) {
            throw new IllegalArgumentException("unexpected } in " + notation);
        }
        return bytes;
    }

    /** Returns the bytes as hexadecimal digits, for readable comparisons. */
    public static String hex(byte[] bytes) {
        return ByteBufUtil.hexDump(bytes);
    }

    static ByteBuf buffer(String notation) {
        return Unpooled.wrappedBuffer(of(notation));
    }

    private byte[] group() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (position < notation.length() && notation.charAt(position) != '}') {
            char next = notation.charAt(position++);
            switch (next) {
                case ' ' -> {}
                case '{' -> {
                    byte[] inner = group();
                    position++;
                    int rest = inner.length;
                    while (rest > 127) {
                        out.write(rest % 128 + 128);
                        rest /= 128;
                    }
                    out.write(rest);
                    out.writeBytes(inner);
                }
                case '\'' -> out.writeBytes(text('\''));
                case '<' -> {
                    byte[] text = text('>');
                    out.write(text.length / 256);
                    out.write(text.length % 256);
                    out.writeBytes(text);
                }
                default -> out.write(Character.digit(next, 16) * 16 + Character.digit(notation.charAt(position++), 16));
            }
        }
        return out.toByteArray();
    }

    private byte[] text(char end) {
        int close = notation.indexOf(end, position);
        String text = notation.substring(position, close);
        position = close + 1;
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.netty.buffer.ByteBuf;

/**
 * Validates UTF-8 as MQTT requires: well-formed according to RFC 3629, without overlong forms and surrogates [MQTT-1.5.4-1], and
 * without U+0000 [MQTT-1.5.4-2]. Checks ASCII eight bytes at a time.
 */
@HotPath
final class Utf8 {
    private static final long LOWEST_BITS = 0x0101_0101_0101_0101L;
    private static final long HIGHEST_BITS = 0x8080_8080_8080_8080L;

    private Utf8() {}

    /**
     * Checks a range of a buffer.
     *
     * @return whether every character is ASCII
     * @throws ProtocolException with {@link ReasonCode#MALFORMED_PACKET} otherwise
     */
    static boolean requireWellFormed(ByteBuf in, int start, int length) {
        int end = start + length;
        int i = start;
        while (i + Long.BYTES <= end) {
            long bytes = in.getLong(i);
            // The subtraction sets the highest bit of a byte only if the byte is zero, provided that no byte has it
            // set already.
            if (((bytes | (bytes - LOWEST_BITS)) & HIGHEST_BITS) != 0) {
                break;
            }
            i += Long.BYTES;
        }
        boolean ascii = true;
        while (i < end) {
            int lead = in.getByte(i);
            if (lead > 0) {
                i++;
            } else {
                ascii = false;
                i += requireCharacter(in, i, end, lead & 0xFF);
            }
        }
        return ascii;
    }

    private static int requireCharacter(ByteBuf in, int at, int end, int lead) {
        if (lead == 0) {
            throw malformed("text contains U+0000");
        }
        // The second byte's range excludes overlong forms (E0, F0), surrogates (ED) and values above U+10FFFF (F4).
        int lowest = 0x80;
        int highest = 0xBF;
        int length;
        if (lead >= 0xC2 && lead <= 0xDF) {
            length = 2;
        } else if (lead >= 0xE0 && lead <= 0xEF) {
            length = 3;
            lowest = lead == 0xE0 ? 0xA0 : lowest;
            highest = lead == 0xED ? 0x9F : highest;
        } else if (lead >= 0xF0 && lead <= 0xF4) {
            length = 4;
            lowest = lead == 0xF0 ? 0x90 : lowest;
            highest = lead == 0xF4 ? 0x8F : highest;
        } else {
            throw malformed("text is not UTF-8");
        }
        if (at + length > end) {
            throw malformed("text ends within a character");
        }
        requireRange(in.getUnsignedByte(at + 1), lowest, highest);
        for (int i = at + 2; i < at + length; i++) {
            requireRange(in.getUnsignedByte(i), 0x80, 0xBF);
        }
        return length;
    }

    private static void requireRange(int value, int lowest, int highest) {
        if (value < lowest || value > highest) {
            throw malformed("text is not UTF-8");
        }
    }

    private static ProtocolException malformed(String detail) {
        return new ProtocolException(ReasonCode.MALFORMED_PACKET, detail);
    }
}

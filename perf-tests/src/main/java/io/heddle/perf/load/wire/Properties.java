package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;

/** Iterates over the properties of an MQTT 5 packet. For packets that occur once per connection, since it allocates an object. */
final class Properties {
    private final ByteBuffer in;
    private final int end;
    private int at;
    private int identifier;
    private int number;

    /** Starts at the property length. The properties must end within {@code limit}. */
    Properties(ByteBuffer in, int at, int limit) {
        this.in = in;
        int length = VariableByteInteger.read(in, at, limit);
        this.at = at + VariableByteInteger.size(length);
        end = this.at + length;
        if (end > limit) {
            throw new BrokerFaultException("properties of " + length + " bytes in a shorter packet");
        }
    }

    /** Advances to the next property. Returns false after the last. */
    boolean next() {
        if (at >= end) {
            return false;
        }
        identifier = take();
        // The identifiers of table 2-4 in the standard, by value type.
        switch (identifier) {
            case 0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2A -> number = take();
            case 0x13, 0x21, 0x22, 0x23 -> number = (take() << 8) | take();
            case 0x02, 0x11, 0x18, 0x27 -> number = (take() << 24) | (take() << 16) | (take() << 8) | take();
            case 0x0B -> {
                number = VariableByteInteger.read(in, at, end);
                at += VariableByteInteger.size(number);
            }
            case 0x26 -> {
                skipString();
                skipString();
            }
            default -> skipString();
        }
        if (at > end) {
            throw new BrokerFaultException("property " + identifier + " reaches beyond its packet");
        }
        return true;
    }

    int identifier() {
        return identifier;
    }

    /** The value of a numeric property. */
    int number() {
        return number;
    }

    private void skipString() {
        int length = (take() << 8) | take();
        at += length;
    }

    private int take() {
        if (at >= end) {
            throw new BrokerFaultException("properties end in the middle of one");
        }
        return in.get(at++) & 0xFF;
    }
}

package io.heddle.core.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** An address of IPv4 or IPv6, or a network in CIDR notation, such as 10.0.0.0/8 or fd00::/8. Immutable. */
public final class AddressRange {
    private final String text;
    private final byte[] network;
    private final int prefixBits;

    private AddressRange(String text, byte[] network, int prefixBits) {
        this.text = text;
        this.network = network;
        this.prefixBits = prefixBits;
    }

    /**
     * Reads an address or a network.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        try {
            byte[] network = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash))
                    .getAddress();
            int bits = network.length * Byte.SIZE;
            int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
            if (prefix >= 0 && prefix <= bits) {
                return new AddressRange(text, network, prefix);
            }
        } catch (IllegalArgumentException _) {
            // Neither an address nor a number: the same error.
        }
        throw new IllegalArgumentException("use an address or a network such as 10.0.0.0/8 or fd00::/8");
    }

    /** Returns whether an address is in the range. One of the other IP version is not. */
    public boolean contains(SocketAddress address) {
        return address instanceof InetSocketAddress internet
                && !internet.isUnresolved()
                && contains(internet.getAddress().getAddress());
    }

    private boolean contains(byte[] address) {
        if (address.length != network.length) {
            return false;
        }
        for (int at = 0, left = prefixBits; left > 0; at++, left -= Byte.SIZE) {
            int mask = left >= Byte.SIZE ? 0xff : 0xff << (Byte.SIZE - left);
            if (((address[at] ^ network[at]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the text that was read. */
    @Override
    public String toString() {
        return text;
    }
}

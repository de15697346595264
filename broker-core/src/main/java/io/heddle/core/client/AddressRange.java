package io.heddle.core.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.StringJoiner;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address of IPv4 or IPv6, or a network in CIDR notation, such as 10.0.0.0/8 or fd00::/8. Immutable. */
public final class AddressRange {
    /** A network in CIDR notation, or an address; ofLiteral also reads other forms of IPv4 addresses, such as 10.1 for 10.0.0.1. */
    private static final Pattern RANGE =
            Pattern.compile("([^/:]*+:[^/]*+|\\d{1,3}(?:\\.\\d{1,3}){3})(?:/(0|[1-9]\\d{0,2}))?");

    /** More than an address of IPv6 with a zone and a prefix. */
    private static final int LONGEST = 100;

    /** Groups of zeros that :: can stand for. */
    private static final Pattern ZEROS = Pattern.compile("\\b0(:0)+\\b");

    private final String text;
    private final byte[] network;
    private final int prefixBits;

    private AddressRange(String text, byte[] network, int prefixBits) {
        this.text = text;
        this.network = network;
        this.prefixBits = prefixBits;
    }

    /** @throws IllegalArgumentException if the text is neither */
    public static AddressRange parse(String text) {
        Matcher range = RANGE.matcher(text);
        try {
            if (text.length() <= LONGEST && range.matches()) {
                byte[] network = InetAddress.ofLiteral(range.group(1)).getAddress();
                int bits = network.length * Byte.SIZE;
                int prefix = range.group(2) == null ? bits : Integer.parseInt(range.group(2));
                if (prefix <= bits) {
                    return new AddressRange(text, network, prefix);
                }
            }
        } catch (IllegalArgumentException _) {
            // No address: the same error.
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

    /**
     * Returns the one text of this range: without a prefix for a single address, with zeros behind the prefix, and for IPv6 as in RFC 5952. A mapped
     * address (::ffff:192.0.2.7) is that of IPv4.
     */
    public String canonical() {
        byte[] masked = network.clone();
        for (int at = 0, left = prefixBits; at < masked.length; at++, left -= Byte.SIZE) {
            masked[at] &= (byte) (left >= Byte.SIZE ? 0xff : left <= 0 ? 0 : 0xff << (Byte.SIZE - left));
        }
        String address = masked.length == Integer.BYTES ? version4(masked) : version6(masked);
        return prefixBits == masked.length * Byte.SIZE ? address : address + '/' + prefixBits;
    }

    private static String version4(byte[] address) {
        StringJoiner text = new StringJoiner(".");
        for (byte each : address) {
            text.add(Integer.toString(Byte.toUnsignedInt(each)));
        }
        return text.toString();
    }

    private static String version6(byte[] address) {
        StringJoiner groups = new StringJoiner(":");
        for (int at = 0; at < address.length; at += Short.BYTES) {
            groups.add(Integer.toHexString(
                    Byte.toUnsignedInt(address[at]) << Byte.SIZE | Byte.toUnsignedInt(address[at + 1])));
        }
        String text = groups.toString();
        String longest = ZEROS.matcher(text)
                .results()
                .map(MatchResult::group)
                .reduce("", (best, next) -> next.length() > best.length() ? next : best);
        return longest.isEmpty() ? text : text.replaceFirst("(^|:)\\b" + longest + "\\b(:|$)", "::");
    }

    /** Returns the text that was read. */
    @Override
    public String toString() {
        return text;
    }
}

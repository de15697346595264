package io.heddle.core;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The network of a peer, for limits that are fair by network: an IPv4 address or an IPv6 /64, because one customer usually owns all
 * addresses of a /64.
 */
public final class RemoteNetwork {
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int IPV6_NETWORK_BYTES = 8;

    private RemoteNetwork() {}

    /** Returns the network of an address in hex digits. An address that is not resolved, or of another kind, is a network of its own. */
    public static String of(SocketAddress address) {
        if (address instanceof InetSocketAddress internet) {
            InetAddress resolved = internet.getAddress();
            return resolved != null ? of(resolved) : internet.getHostString();
        }
        return String.valueOf(address);
    }

    /** Returns the network of an address in hex digits. */
    public static String of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return HexFormat.of()
                .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, IPV6_NETWORK_BYTES) : bytes);
    }

    /** Returns an address without its port; empty if it is unknown. */
    public static String host(@Nullable SocketAddress address) {
        if (address == null) {
            return "";
        }
        return address instanceof InetSocketAddress internet && internet.getAddress() != null
                ? internet.getAddress().getHostAddress()
                : address.toString();
    }

    /** Returns a network for people: an IPv4 address, an IPv6 /64 such as 2001:db8:0:0:0:0:0:0/64, or the text if it is neither. */
    public static String described(String network) {
        try {
            byte[] bytes = HexFormat.of().parseHex(network);
            return switch (bytes.length) {
                case IPV4_BYTES -> InetAddress.getByAddress(bytes).getHostAddress();
                case IPV6_NETWORK_BYTES ->
                    InetAddress.getByAddress(Arrays.copyOf(bytes, IPV6_BYTES)).getHostAddress() + "/64";
                default -> network;
            };
        } catch (IllegalArgumentException | UnknownHostException _) {
            // Not hex digits: the name of a network that is not resolved.
            return network;
        }
    }
}

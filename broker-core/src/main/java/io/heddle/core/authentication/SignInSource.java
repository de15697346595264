package io.heddle.core.authentication;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The origin of one attempt to sign in, for sharing scarce work fairly and for slowing down guesses. A whole IPv6 /64 counts as
 * one network, because one customer has that many addresses.
 *
 * @param network the IPv4 address or the IPv6 /64 that the attempt comes from; behind a proxy or a NAT that of the proxy or NAT
 * @param name the user name, or without one the client id; only its first {@value #MAX_LENGTH} characters
 * @param gone whether the one that signs in has gone, so that the outcome matters to nobody; any thread asks
 * @param mayWait whether a computation may be waited for
 */
public record SignInSource(String network, String name, BooleanSupplier gone, boolean mayWait) {
    static final int MAX_LENGTH = 255;

    private static final int IPV6_NETWORK_BYTES = 8;

    /** The source of an attempt that is waited for. */
    public SignInSource(String network, String name) {
        this(network, name, () -> false, true);
    }

    /** The source of a CONNECT. */
    static SignInSource of(ConnectCredentials shown) {
        String userName = shown.userName();
        // No user name can be taken for a client id: they are limited and delayed apart.
        String name = userName != null
                ? "user " + userName
                : "client " + shown.clientId().value();
        return new SignInSource(network(shown.remoteAddress()), shortened(name), shown.gone(), shown.mayWait());
    }

    /**
     * The source of a request.
     *
     * @param remoteAddress an address in figures; a trusted proxy may also forward a name or "unknown"
     */
    public static SignInSource of(String remoteAddress, String userName) {
        return new SignInSource(network(remoteAddress), shortened(userName));
    }

    /** Whether the outcome matters to nobody any more. */
    public boolean isGone() {
        return gone.getAsBoolean();
    }

    private static String network(SocketAddress address) {
        if (address instanceof InetSocketAddress internet) {
            InetAddress resolved = internet.getAddress();
            return resolved != null ? network(resolved) : shortened(internet.getHostString());
        }
        return shortened(String.valueOf(address));
    }

    private static String network(String remoteAddress) {
        InetAddress literal = literal(remoteAddress);
        return literal != null ? network(literal) : shortened(remoteAddress);
    }

    private static @Nullable InetAddress literal(String remoteAddress) {
        try {
            return InetAddress.ofLiteral(remoteAddress);
        } catch (IllegalArgumentException notAnAddress) {
            return null;
        }
    }

    private static String network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return HexFormat.of()
                .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, IPV6_NETWORK_BYTES) : bytes);
    }

    private static String shortened(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH);
    }
}

package io.heddle.transport.link;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The text of an IP address with a port, as in the log of nodes. It never holds a host name, whose resolution would block an event loop.
 */
final class LinkAddress {
    private static final int LAST_PORT = 65_535;

    private LinkAddress() {}

    static String format(InetAddress address, int port) {
        String host = address.getHostAddress();
        return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
    }

    /** Returns the address, or null if the text is none. */
    static @Nullable InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return null;
        }
        String host = text.substring(0, colon);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        try {
            int port = Integer.parseInt(text, colon + 1, text.length(), 10);
            return port < 1 || port > LAST_PORT
                    ? null
                    : new InetSocketAddress(
                            InetAddress.ofLiteral(isBracketed ? host.substring(1, host.length() - 1) : host), port);
        } catch (IllegalArgumentException none) {
            return null;
        }
    }
}

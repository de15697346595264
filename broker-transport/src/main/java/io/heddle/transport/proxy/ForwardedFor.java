package io.heddle.transport.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/** The addresses in the header X-Forwarded-For, to which each proxy appends the address of its own client. */
public final class ForwardedFor {
    /** Longer chains are refused: no real one has so many proxies. */
    private static final int MAXIMUM_ADDRESSES = 20;

    private ForwardedFor() {}

    /**
     * Returns the address of the client: the last one that no trusted proxy has, because addresses before it may be forged.
     *
     * @param sender the address from which the request came
     * @param headers the values of all headers of this name, in their order
     * @return the sender if it is not trusted, or if there is no header
     * @throws IllegalArgumentException if a trusted proxy has sent a malformed header
     */
    public static SocketAddress client(SocketAddress sender, List<String> headers, TrustedNetworks trusted) {
        if (headers.isEmpty() || !trusted.contains(sender)) {
            return sender;
        }
        List<String> texts = new ArrayList<>();
        for (String header : headers) {
            texts.addAll(List.of(header.split(",", MAXIMUM_ADDRESSES + 1)));
        }
        if (texts.size() > MAXIMUM_ADDRESSES) {
            throw new IllegalArgumentException("too many addresses");
        }
        SocketAddress client = sender;
        for (String text : texts.reversed()) {
            client = address(text.strip());
            if (!trusted.contains(client)) {
                break;
            }
        }
        return client;
    }

    /** Reads an address, in brackets or not, with a port or without; the port is 0 then. */
    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = text.startsWith("[") ? text.indexOf("]:") > 0 : colon >= 0 && colon == text.indexOf(':');
        String host = hasPort ? text.substring(0, colon) : text;
        int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : 0;
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        return new InetSocketAddress(
                InetAddress.ofLiteral(isBracketed ? host.substring(1, host.length() - 1) : host), port);
    }
}

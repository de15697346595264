package io.heddle.api.console;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The addresses to which the page with the MQTT client may connect, as sources of a Content-Security-Policy: the node, the host of the page at
 * every port, because a load balancer may have others than the node, and the listeners of the node.
 */
final class BrokerSources {
    private static final String SELF = "'self'";
    private static final String WS = "ws://";
    private static final String WSS = "wss://";
    /** A name or an IPv4 address. A policy cannot name IPv6 addresses. */
    private static final String HOST = "[A-Za-z0-9.-]{1,253}";

    private static final Pattern PAGE_HOST = Pattern.compile(HOST);
    private static final Pattern LISTENER = Pattern.compile("(wss?://)" + HOST + ":\\d{1,5}(?=/|$)");

    private BrokerSources() {}

    /**
     * Returns the value of {@code connect-src}.
     *
     * @param host the host in the address of the page, as the browser has sent it; it counts only if it is a name or an IPv4 address
     * @param isSecure whether the page was requested over TLS. Then browsers refuse WebSocket without it
     * @param listeners the listeners of the node, as URIs
     */
    static String of(String host, boolean isSecure, List<String> listeners) {
        List<String> schemes = isSecure ? List.of(WSS) : List.of(WS, WSS);
        Stream<String> ofPage =
                PAGE_HOST.matcher(host).matches() ? schemes.stream().map(scheme -> scheme + host + ":*") : Stream.of();
        Stream<String> ofListeners = listeners.stream()
                .map(LISTENER::matcher)
                .filter(Matcher::lookingAt)
                .filter(listener -> schemes.contains(listener.group(1)))
                .map(Matcher::group);
        return Stream.of(Stream.of(SELF), ofPage, ofListeners)
                .flatMap(sources -> sources)
                .distinct()
                .collect(Collectors.joining(" "));
    }
}

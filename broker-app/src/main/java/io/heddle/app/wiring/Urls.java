package io.heddle.app.wiring;

/** Addresses as a person writes them. */
final class Urls {
    private Urls() {}

    /** Scheme, host and port; an IPv6 address gets its brackets. */
    static String of(String scheme, String host, int port) {
        boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
        return scheme + "://" + (bareIpv6 ? "[" + host + "]" : host) + ":" + port;
    }
}

package io.heddle.app.wiring;

/** Formatting of URLs. */
final class Urls {
    private Urls() {}

    /** Adds brackets to an IPv6 address. */
    static String of(String scheme, String host, int port) {
        boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
        return scheme + "://" + (bareIpv6 ? "[" + host + "]" : host) + ":" + port;
    }
}

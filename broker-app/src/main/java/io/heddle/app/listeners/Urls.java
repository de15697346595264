package io.heddle.app.listeners;

/** Formatting of URLs. */
public final class Urls {
    private Urls() {}

    /** Adds brackets to an IPv6 address. */
    public static String of(String scheme, String host, int port) {
        return scheme + "://" + authority(host, port);
    }

    /** Adds brackets to an IPv6 address. */
    public static String authority(String host, int port) {
        boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
        return (bareIpv6 ? "[" + host + "]" : host) + ":" + port;
    }
}

package io.heddle.api.server;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.catalina.valves.RemoteIpValve;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

/**
 * The proxies whose header X-Forwarded-For names the address of a client. It is read from its end: the last address that is not that of a
 * proxy counts, because a client can write the ones before. Their header X-Forwarded-Proto tells whether the client uses HTTPS.
 *
 * @param ranges addresses and networks in CIDR notation
 */
public record TrustedProxies(List<String> ranges) {
    public TrustedProxies {
        ranges = List.copyOf(ranges);
    }

    /** Sets the address and scheme of each request that comes from a proxy. */
    public void applyTo(TomcatServletWebServerFactory factory) {
        if (ranges.isEmpty()) {
            return;
        }
        RemoteIpValve valve = new RemoteIpValve();
        // Without a slash, the valve takes all of them for one regular expression.
        valve.setInternalProxies(ranges.stream().map(TrustedProxies::network).collect(Collectors.joining(",")));
        // Over HTTPS, the cookie of a session is for HTTPS only.
        valve.setProtocolHeader("X-Forwarded-Proto");
        factory.addEngineValves(valve);
    }

    private static String network(String range) {
        return range.contains("/") ? range : range + (range.contains(":") ? "/128" : "/32");
    }
}

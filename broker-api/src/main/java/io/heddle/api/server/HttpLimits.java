package io.heddle.api.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

/**
 * Limits of HTTP clients.
 *
 * @param maximumConnections maximum number of open connections; a further one gets the place of the oldest without a request
 * @param connectionsPerAddress maximum number of open connections of an IPv4 address or an IPv6 /64; further ones are closed at once
 * @param requestTimeout maximum time in which the head of a request must arrive, and maximum idle time of a connection
 * @param bodyTimeout maximum time in which the body of a request must arrive
 */
public record HttpLimits(
        int maximumConnections, int connectionsPerAddress, Duration requestTimeout, Duration bodyTimeout) {
    /** Limits the clients of the REST port. */
    public void applyTo(TomcatServletWebServerFactory factory, MeterRegistry metrics) {
        factory.setProtocol(BoundedHttpProtocol.class.getName());
        factory.addConnectorCustomizers(
                connector -> applyTo((BoundedHttpProtocol) connector.getProtocolHandler(), "http", metrics));
        factory.addContextValves(new UnreadBodyValve());
    }

    /** @param port the name of the port in metrics */
    void applyTo(BoundedHttpProtocol http, String port, MeterRegistry metrics) {
        Counter refused = Counter.builder("heddle.http.connections.refused")
                .tag("port", port)
                .register(metrics);
        http.setMaxConnections(maximumConnections);
        http.limitNetworks(connectionsPerAddress, refused::increment);
        http.setConnectionTimeout(Math.toIntExact(requestTimeout.toMillis()));
        http.setKeepAliveTimeout(Math.toIntExact(requestTimeout.toMillis()));
        // Does not read the rest of a rejected request, and does not ask for the body before it is needed.
        http.setMaxSwallowSize(0);
        http.setContinueResponseTiming("onRead");
    }
}

package io.heddle.api.server;

import java.time.Duration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

/**
 * Limits of HTTP clients.
 *
 * @param maximumConnections maximum number of open connections; further ones wait in the backlog of the system
 * @param requestTimeout maximum time in which the head of a request must arrive, and maximum idle time of a connection
 */
public record HttpLimits(int maximumConnections, Duration requestTimeout) {
    public void applyTo(TomcatServletWebServerFactory factory) {
        factory.setProtocol(BoundedHttpProtocol.class.getName());
        factory.addConnectorCustomizers(connector -> {
            BoundedHttpProtocol http = (BoundedHttpProtocol) connector.getProtocolHandler();
            http.setMaxConnections(maximumConnections);
            http.setConnectionTimeout(Math.toIntExact(requestTimeout.toMillis()));
            http.setKeepAliveTimeout(Math.toIntExact(requestTimeout.toMillis()));
            // Does not read the rest of a rejected request.
            http.setMaxSwallowSize(0);
        });
    }
}

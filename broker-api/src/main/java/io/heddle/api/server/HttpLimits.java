package io.heddle.api.server;

import java.time.Duration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

/**
 * What HTTP clients may hold on to.
 *
 * @param maximumConnections how many connections are served at once; the next ones wait in the system's backlog
 * @param requestTimeout how long the head of a request may take to arrive, and how long a connection may be silent
 */
public record HttpLimits(int maximumConnections, Duration requestTimeout) {
    /** Makes a web server keep them. */
    public void limit(TomcatServletWebServerFactory factory) {
        factory.setProtocol(BoundedHttpProtocol.class.getName());
        factory.addConnectorCustomizers(connector -> {
            BoundedHttpProtocol http = (BoundedHttpProtocol) connector.getProtocolHandler();
            http.setMaxConnections(maximumConnections);
            http.setConnectionTimeout(Math.toIntExact(requestTimeout.toMillis()));
            http.setKeepAliveTimeout(Math.toIntExact(requestTimeout.toMillis()));
            // The rest of a request that was refused is not waited for.
            http.setMaxSwallowSize(0);
        });
    }
}

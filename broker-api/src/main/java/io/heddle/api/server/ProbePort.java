package io.heddle.api.server;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/**
 * A port of its own for health probes, with its own connections and threads, so that a flood of requests on the REST port does not make
 * supervisors restart a healthy node. Serves the groups of the health and nothing else; nobody signs in. One request for each connection.
 *
 * <p>Bounds: {@value #CONNECTIONS} connections, {@value #CONNECTIONS_PER_ADDRESS} for each address, two seconds for a request.
 */
public final class ProbePort {
    private static final int CONNECTIONS = 256;
    private static final int CONNECTIONS_PER_ADDRESS = 16;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
    /** Platform threads, because requests of the REST port may take all carriers of virtual threads. */
    private static final int THREADS = 4;

    private static final Set<String> GROUPS =
            Set.of("/actuator/health/liveness", "/actuator/health/readiness", "/actuator/health/serving");
    private static final Set<String> METHODS = Set.of("GET", "HEAD");

    private final Connector connector;

    /** @param port 0 for a free one */
    public ProbePort(InetAddress address, int port, MeterRegistry metrics) {
        BoundedHttpProtocol http = new BoundedHttpProtocol();
        new HttpLimits(CONNECTIONS, CONNECTIONS_PER_ADDRESS, REQUEST_TIMEOUT, REQUEST_TIMEOUT)
                .applyTo(http, "probes", metrics);
        http.refuseLargeHeads();
        http.setAddress(address);
        http.setMaxKeepAliveRequests(1);
        http.setMinSpareThreads(1);
        http.setMaxThreads(THREADS);
        this.connector = new Connector(http);
        connector.setPort(port);
        // Bound when the server starts, as the other port.
        connector.setProperty("bindOnInit", "false");
    }

    public void applyTo(TomcatServletWebServerFactory factory) {
        factory.addAdditionalConnectors(connector);
        factory.addEngineValves(new ProbesOnly());
    }

    /** Returns the port to which the running server listens. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Refuses requests of this port that are no probes, before any filter. */
    private final class ProbesOnly extends ValveBase {
        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            if (!connector.equals(request.getConnector())) {
                getNext().invoke(request, response);
            } else if (!METHODS.contains(String.valueOf(request.getMethod()))
                    || !GROUPS.contains(String.valueOf(request.getDecodedRequestURI()))
                    || UnreadBodyValve.hasUnreadBody(request)) {
                response.setStatus(HttpStatus.NOT_FOUND.value());
                UnreadBodyValve.closeAfter(request, response);
            } else {
                // A sign-in would ask PostgreSQL and hash the password.
                request.getCoyoteRequest().getMimeHeaders().removeHeader(HttpHeaders.AUTHORIZATION);
                getNext().invoke(request, response);
            }
        }
    }
}

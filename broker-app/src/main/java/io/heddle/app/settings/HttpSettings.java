package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import java.net.InetAddress;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The listener of the REST API, health and metrics.
 *
 * @param bind the address to listen on
 * @param port the port; 0 picks a free one
 */
public record HttpSettings(
        @DefaultValue("127.0.0.1") String bind,
        @DefaultValue("8080") int port) {
    private static final String BIND = "heddle.http.bind";

    public HttpSettings {
        if (port < 0 || port > 65_535) {
            throw new StartupException(
                    "heddle.http.port (--http-port) is " + port + ": set it to 1 to 65535, or 0 for a free one", null);
        }
        BindAddress.of(BIND, bind);
    }

    /** Where to listen. */
    public InetAddress address() {
        return BindAddress.of(BIND, bind);
    }
}

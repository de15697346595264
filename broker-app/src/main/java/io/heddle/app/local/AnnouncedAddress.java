package io.heddle.app.local;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/** The address of this node in its data directory, from the opening of the HTTP listener until the node stops. */
public final class AnnouncedAddress implements ApplicationListener<WebServerInitializedEvent>, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AnnouncedAddress.class);

    private final @Nullable LocalBrokers brokers;
    private final String nodeId;
    private final String scheme;
    private final InetAddress bind;

    /**
     * @param dataDirectory null if this node does not use one
     * @param scheme of the HTTP listener: http or https
     * @param bind of the HTTP listener
     */
    public AnnouncedAddress(@Nullable Path dataDirectory, String nodeId, String scheme, InetAddress bind) {
        brokers = dataDirectory == null ? null : new LocalBrokers(dataDirectory);
        this.nodeId = nodeId;
        this.scheme = scheme;
        this.bind = bind;
    }

    @Override
    public void onApplicationEvent(WebServerInitializedEvent event) {
        announce(event.getWebServer().getPort());
    }

    void announce(int port) {
        if (brokers == null) {
            return;
        }
        try {
            brokers.announce(nodeId, url(port));
        } catch (IOException e) {
            log.warn(
                    "The HTTP address cannot be written to the data directory; commands on this machine need --url"
                            + " (make its folder run writable): reason={}",
                    e.getMessage());
        }
    }

    private String url(int port) {
        boolean isVersion6 = bind instanceof Inet6Address;
        String host = bind.isAnyLocalAddress() ? (isVersion6 ? "::1" : "127.0.0.1") : bind.getHostAddress();
        return scheme + "://" + (isVersion6 ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public void close() {
        if (brokers == null) {
            return;
        }
        try {
            brokers.withdraw();
        } catch (IOException e) {
            // Its process ends, so the file is not used any more.
            log.debug("The HTTP address cannot be removed from the data directory", e);
        }
    }
}

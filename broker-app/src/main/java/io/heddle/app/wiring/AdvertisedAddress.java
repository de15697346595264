package io.heddle.app.wiring;

import io.heddle.app.settings.ClusterSettings;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The address at which the other nodes reach this one.
 *
 * @param port that the others use, or 0 for the port that is bound
 */
record AdvertisedAddress(InetAddress address, int port) {
    private static final Logger log = LoggerFactory.getLogger(AdvertisedAddress.class);
    private static final String SETTING = "heddle.cluster.advertise";
    /** A bracketed address or a text with at most one colon, and a port; any other text is a host without a port. */
    private static final Pattern WITH_PORT = Pattern.compile("(\\[[^\\]]+\\]|[^:\\[\\]]+):([0-9]{1,5})");

    private static final int LAST_PORT = 65_535;

    /**
     * Returns the address of the settings, or else the local address from which this node reaches Kafka: all nodes reach Kafka, so they are
     * likely to reach each other in the same network. May query DNS.
     *
     * @throws StartupException if the address is unknown, or is no address that another node can connect to
     */
    static AdvertisedAddress of(ClusterSettings cluster, String bootstrapServers) {
        String text = cluster.advertise();
        return text.isBlank() ? new AdvertisedAddress(towards(bootstrapServers), 0) : parse(text.strip());
    }

    private static AdvertisedAddress parse(String text) {
        Matcher parts = WITH_PORT.matcher(text);
        boolean hasPort = parts.matches();
        int port = hasPort ? Integer.parseInt(parts.group(2)) : 0;
        if (port > LAST_PORT || (hasPort && port == 0)) {
            throw wrong("has the port " + port, null);
        }
        String host = hasPort ? parts.group(1) : text;
        try {
            InetAddress address = InetAddress.getByName(host);
            if (address.isAnyLocalAddress()) {
                throw wrong("is " + text + ", to which no node can connect", null);
            }
            return new AdvertisedAddress(address, port);
        } catch (UnknownHostException e) {
            throw wrong("is " + text + ", which is neither an address nor a name that this machine knows", e);
        }
    }

    /** Asks the system for its route to Kafka. Connecting a datagram socket sends nothing. */
    private static InetAddress towards(String bootstrapServers) {
        for (String each : bootstrapServers.split(",", -1)) {
            String server = each.strip();
            int colon = server.lastIndexOf(':');
            try (DatagramSocket socket = new DatagramSocket()) {
                int port = Integer.parseInt(server, colon + 1, server.length(), 10);
                socket.connect(new InetSocketAddress(InetAddress.getByName(server.substring(0, colon)), port));
                InetAddress local = socket.getLocalAddress();
                if (!local.isAnyLocalAddress()) {
                    return local;
                }
            } catch (IOException | RuntimeException unreachable) {
                log.debug("No route to a Kafka server: server={}", server, unreachable);
            }
        }
        throw wrong(
                "is empty, and this node cannot tell its own address towards Kafka (" + bootstrapServers + ")", null);
    }

    private static StartupException wrong(String what, @Nullable Exception cause) {
        return new StartupException(
                SETTING + " " + what + ": set it to an address at which the other nodes reach this one, like 10.0.0.5",
                cause);
    }

    InetAddress bind(ClusterSettings cluster) {
        try {
            if (!cluster.bind().isBlank()) {
                return InetAddress.getByName(cluster.bind().strip());
            }
            return cluster.advertise().isBlank() ? address : new InetSocketAddress(0).getAddress();
        } catch (UnknownHostException e) {
            throw new StartupException(
                    ClusterSettings.BIND + " is " + cluster.bind()
                            + ", which is neither an address nor a name that this machine knows: set it to an address of"
                            + " this machine, like 10.0.0.5 or 0.0.0.0",
                    e);
        }
    }

    /** Returns the port that the other nodes use. */
    int portOr(int bound) {
        return port == 0 ? bound : port;
    }
}

package io.heddle.perf.load.client;

import io.heddle.perf.load.wire.BrokerFaultException;
import io.heddle.perf.load.wire.ConnAck;
import io.heddle.perf.load.wire.ConnectFields;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of one client.
 *
 * @param source the local address; null lets the system choose
 * @param subscribe null to subscribe to nothing
 * @param publishQos the QoS that the broker must support, 0 for a client that does not publish
 */
public record ClientPlan(
        InetSocketAddress broker,
        @Nullable InetAddress source,
        ConnectFields connect,
        @Nullable Subscribe subscribe,
        int publishQos) {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    void check(ConnAck connAck) {
        if (connAck.code() != 0) {
            throw new BrokerFaultException("CONNECT of client " + connect.clientId() + " was refused with "
                    + switch (connect.version()) {
                        case V3_1_1 -> "return code " + connAck.code();
                        case V5 -> "reason code " + hex(connAck.code());
                    });
        }
        if (connAck.maximumQos() < publishQos) {
            throw new BrokerFaultException(
                    "the broker supports QoS " + connAck.maximumQos() + " at most, but --qos is " + publishQos);
        }
    }

    /** Three quarters of the keep alive; 0 for no pings. */
    long pingIntervalNanos(ConnAck connAck) {
        int seconds =
                connAck.serverKeepAliveSeconds() >= 0 ? connAck.serverKeepAliveSeconds() : connect.keepAliveSeconds();
        return seconds * NANOS_PER_SECOND * 3 / 4;
    }

    String explain(IOException failure) {
        if (failure instanceof ConnectException) {
            return "no connection to " + broker.getHostString() + ":" + broker.getPort() + " (" + failure.getMessage()
                    + "): check that the broker is running, and --host and --port";
        }
        return String.valueOf(failure.getMessage());
    }

    static String hex(int code) {
        return String.format(Locale.ROOT, "0x%02X", code);
    }
}

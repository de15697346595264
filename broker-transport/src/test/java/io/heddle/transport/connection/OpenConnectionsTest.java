package io.heddle.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.Limit;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.testkit.LogLines;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** Admission of connections to a node that has two places. */
final class OpenConnectionsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LogLines log = new LogLines();
    private final TransportMetrics metrics =
            new TransportMetrics(new ClientIncidents(log.logger(), System::nanoTime, registry), registry);
    private final OpenConnections open = new OpenConnections(2, metrics, registry);
    private final ListenerConnections listener = new ListenerConnections(
            "mqtt", ListenerKind.TCP, new Limit("the connections", 10), EnumSet.allOf(MqttVersion.class), registry);
    private final EmbeddedChannel channel = new EmbeddedChannel() {
        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 4711);
        }
    };

    private NewConnection connection() {
        NettyConnection connection = new NettyConnection(
                channel,
                new NettyEventLoop(channel.eventLoop(), 0),
                ConnectionLimits.DEFAULTS,
                listener,
                new UnsentOutput(1 << 20, registry),
                metrics);
        return new NewConnection(connection, open, channel.eventLoop(), _ -> false, Duration.ofSeconds(10));
    }

    private double refused(String reason) {
        return registry.get("heddle.listener.refused")
                .tag("reason", reason)
                .counter()
                .count();
    }

    /** The event loop of the first one may read its first bytes before it evicts it for the second one. */
    @Test
    void aConnectionThatIsHeardTooLateWasSilent() {
        NewConnection first = connection();
        assertThat(open.admit(first)).isTrue();
        assertThat(open.admit(connection())).isTrue();

        first.heard();
        channel.runPendingTasks();

        assertThat(channel.isActive()).isFalse();
        assertThat(refused("silent")).isOne();
        assertThat(refused("address_share")).isZero();
        assertThat(log.only()).startsWith("INFO Connection closed because its client sent no CONNECT");
    }
}

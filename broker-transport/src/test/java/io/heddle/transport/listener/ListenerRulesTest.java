package io.heddle.transport.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.Limit;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.connection.ListenerKind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Rules that one listener has and another one has not. */
final class ListenerRulesTest {
    private static final String CONNECT_5 = "10 { <MQTT> 05 02 000A {} <c> }";
    private static final String CONNECT_3 = "10 { <MQTT> 04 02 000A <c> }";

    @AutoClose
    private final ServerFixture servers = new ServerFixture();

    private static Listener listener(String name, int maximum, Set<MqttVersion> versions) {
        return new Listener(
                name,
                ServerFixture.HOST,
                0,
                "the port",
                ListenerKind.TCP,
                new Limit("connections of " + name, maximum),
                versions,
                null,
                null,
                null);
    }

    private MqttServer start(Listener... listeners) {
        return servers.start(new ServerSettings(
                List.of(listeners),
                16,
                100,
                Duration.ofSeconds(10),
                Duration.ofMillis(500),
                PacketLimits.DEFAULTS,
                1 << 20,
                1 << 20,
                ConnectionLimits.DEFAULTS));
    }

    private LoopbackClient client(MqttServer server, String listener) throws IOException {
        InetSocketAddress address =
                Objects.requireNonNull(server.boundAddresses().get(listener));
        LoopbackClient client = new LoopbackClient(address);
        servers.closeLater(client);
        return client;
    }

    private double refused(String listener, String reason) {
        return servers.count("heddle.listener.refused", "listener", listener, "reason", reason);
    }

    @Test
    void eachListenerHasItsMaximumOfConnections() throws IOException {
        MqttServer server = start(
                listener("small", 1, EnumSet.allOf(MqttVersion.class)),
                listener("large", 10, EnumSet.allOf(MqttVersion.class)));
        LoopbackClient first = client(server, "small");
        assertThat(first.send(CONNECT_5).read(5)).isEqualTo(ServerFixture.CONNACK_5);

        assertThat(endOf(client(server, "small"))).isEmpty();
        assertThat(refused("small", "maximum_connections")).isEqualTo(1);
        assertThat(servers.count("heddle.limits.refusals", "setting", "connections of small"))
                .isEqualTo(1);
        assertThat(client(server, "large").send(CONNECT_5).read(5)).isEqualTo(ServerFixture.CONNACK_5);

        first.close();
        await(() -> servers.registry()
                        .get("heddle.listener.connections")
                        .tag("listener", "small")
                        .gauge()
                        .value()
                == 0);
        assertThat(client(server, "small").send(CONNECT_5).read(5)).isEqualTo(ServerFixture.CONNACK_5);
    }

    private static String endOf(LoopbackClient client) throws IOException {
        try {
            return client.readToEnd();
        } catch (SocketException _) {
            // Closed before it was read: a reset.
            return "";
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + ServerFixture.PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void aVersionThatAListenerDoesNotAllowIsAnsweredAsUnsupported() throws IOException {
        MqttServer server = start(
                listener("new", 10, EnumSet.of(MqttVersion.V5)), listener("old", 10, EnumSet.of(MqttVersion.V3_1_1)));

        assertThat(client(server, "new").send(CONNECT_3).readToEnd()).isEqualTo("20020001");
        assertThat(client(server, "new").send(CONNECT_5).read(5)).isEqualTo(ServerFixture.CONNACK_5);
        assertThat(client(server, "old").send(CONNECT_5).readToEnd()).contains("84");
        assertThat(client(server, "old").send(CONNECT_3).read(4)).isEqualTo(ServerFixture.CONNACK_3);
        assertThat(refused("new", "protocol_version")).isEqualTo(1);
        assertThat(refused("old", "protocol_version")).isEqualTo(1);
    }

    @Test
    void aListenerIsClosedByItself() throws IOException {
        MqttServer server = start(
                listener("one", 10, EnumSet.allOf(MqttVersion.class)),
                listener("two", 10, EnumSet.allOf(MqttVersion.class)));
        LoopbackClient open = client(server, "two");
        assertThat(open.send(CONNECT_5).read(5)).isEqualTo(ServerFixture.CONNACK_5);

        server.stopListening("two");
        server.stopListening("three");

        assertThat(server.boundAddresses()).containsOnlyKeys("one");
        assertThat(servers.sessions().only().connection().isOpen()).isTrue();
        assertThat(servers.sessions().only().connection().listener()).isEqualTo("two");
    }
}

package io.heddle.transport.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.Limit;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.connection.ListenerKind;
import io.heddle.transport.proxy.TrustedNetworks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Connections that never send CONNECT, and the places of other clients. */
final class SilentConnectionsTest {
    private static final int MAXIMUM = 300;
    private static final int CLIENTS = 25;
    private static final String CONNECT_3 = "10 { <MQTT> 04 02 000A <c> }";
    private static final String OTHER_ADDRESS = "127.0.0.2";

    @AutoClose
    private final ServerFixture servers = new ServerFixture();

    private InetSocketAddress start(int maximumOfNode, int maximumOfListener, @Nullable TrustedNetworks proxies) {
        MqttServer server = servers.start(new ServerSettings(
                List.of(new Listener(
                        "mqtt",
                        ServerFixture.HOST,
                        0,
                        "the port",
                        ListenerKind.TCP,
                        new Limit("connections of the listener", maximumOfListener),
                        EnumSet.allOf(MqttVersion.class),
                        proxies,
                        null,
                        null)),
                1_024,
                maximumOfNode,
                Duration.ofHours(1),
                Duration.ofMillis(500),
                PacketLimits.DEFAULTS,
                1 << 20,
                1 << 20,
                ConnectionLimits.DEFAULTS));
        return Objects.requireNonNull(server.boundAddresses().get("mqtt"));
    }

    private LoopbackClient open(InetSocketAddress server) throws IOException {
        LoopbackClient client = new LoopbackClient(server);
        servers.closeLater(client);
        return client;
    }

    private List<LoopbackClient> openSilent(InetSocketAddress server, int count) throws IOException {
        List<LoopbackClient> silent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            silent.add(open(server));
        }
        return silent;
    }

    private void connectOthers(InetSocketAddress server) throws IOException {
        for (int i = 0; i < CLIENTS; i++) {
            LoopbackClient client = LoopbackClient.from(OTHER_ADDRESS, server);
            servers.closeLater(client);
            assertThat(client.send(CONNECT_3).read(4))
                    .as("CONNACK of client %d", i)
                    .isEqualTo(ServerFixture.CONNACK_3);
        }
    }

    private double refused(String reason) {
        return servers.count("heddle.listener.refused", "reason", reason);
    }

    private int awaited() {
        return (int) servers.registry()
                .get("heddle.connections.awaiting.connect")
                .gauge()
                .value();
    }

    @Test
    void silentConnectionsOfOneAddressDoNotKeepOutAnother() throws IOException {
        InetSocketAddress server = start(MAXIMUM, Integer.MAX_VALUE, null);
        openSilent(server, MAXIMUM + 20);

        connectOthers(server);

        assertThat(awaited()).isEqualTo(MAXIMUM / 2);
        assertThat(refused("silent")).isEqualTo(MAXIMUM + 20 - MAXIMUM / 2);
        assertThat(refused("maximum_connections")).isZero();
    }

    @Test
    void aListenerWithItsOwnMaximumKeepsPlacesForOthersToo() throws IOException {
        InetSocketAddress server = start(10 * MAXIMUM, MAXIMUM, null);
        openSilent(server, MAXIMUM + 20);

        connectOthers(server);

        assertThat(awaited()).isEqualTo(MAXIMUM / 2);
    }

    @Test
    void aClientConnectsFromTheAddressOfSilentConnections() throws IOException {
        InetSocketAddress server = start(MAXIMUM, Integer.MAX_VALUE, null);
        openSilent(server, MAXIMUM);

        for (int i = 0; i < CLIENTS; i++) {
            assertThat(open(server).send(CONNECT_3).read(4)).isEqualTo(ServerFixture.CONNACK_3);
        }
    }

    @Test
    void connectedClientsKeepTheirPlaces() throws IOException {
        InetSocketAddress server = start(4, Integer.MAX_VALUE, null);
        List<LoopbackClient> connected = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LoopbackClient client = open(server);
            assertThat(client.send(CONNECT_3).read(4)).isEqualTo(ServerFixture.CONNACK_3);
            connected.add(client);
        }

        openSilent(server, 3);
        await(() -> refused("maximum_connections") == 3);
        connected.removeFirst().close();
        await(() -> servers.registry().get("heddle.connections").gauge().value() == 3);

        assertThat(open(server).send(CONNECT_3).read(4)).isEqualTo(ServerFixture.CONNACK_3);
        assertThat(servers.registry().get("heddle.connections").gauge().value()).isEqualTo(4);
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + ServerFixture.PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static byte[] header(String client) {
        return ("PROXY TCP4 " + client + " 192.0.2.1 4711 1883\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void aTrustedProxyIsNotLimitedToTheShareOfOneAddress() throws IOException {
        InetSocketAddress server = start(8, Integer.MAX_VALUE, TrustedNetworks.parse(List.of(ServerFixture.HOST)));
        List<LoopbackClient> clients = openSilent(server, 7);

        for (LoopbackClient client : clients) {
            client.send(header("198.51.100." + clients.indexOf(client)));
        }
        for (LoopbackClient client : clients) {
            assertThat(client.send(CONNECT_3).read(4)).isEqualTo(ServerFixture.CONNACK_3);
        }
    }

    @Test
    void behindAProxyTheAddressInTheHeaderHasTheShare() throws IOException {
        InetSocketAddress server =
                start(MAXIMUM, Integer.MAX_VALUE, TrustedNetworks.parse(List.of(ServerFixture.HOST)));
        for (LoopbackClient each : openSilent(server, MAXIMUM - 10)) {
            each.send(header("198.51.100.1"));
        }

        for (int i = 0; i < CLIENTS; i++) {
            LoopbackClient client = open(server).send(header("198.51.100.2"));
            assertThat(client.send(CONNECT_3).read(4)).isEqualTo(ServerFixture.CONNACK_3);
        }
        await(() -> awaited() <= MAXIMUM / 2);
        assertThat(refused("address_share")).isPositive();
    }
}

package io.heddle.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.app.listeners.ConfiguredListener;
import io.heddle.app.listeners.ConfiguredListeners;
import io.heddle.app.listeners.ConfiguredListeners.Simple;
import io.heddle.app.listeners.PortSetting;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodePortsTest {
    private static List<ConfiguredListener> listeners(int mqtt, String webSocket) {
        return ConfiguredListeners.of(
                        new Simple(
                                "127.0.0.1",
                                PortSetting.of(Integer.toString(mqtt)),
                                PortSetting.OFF,
                                PortSetting.of(webSocket),
                                PortSetting.OFF,
                                0,
                                List.of("/mqtt"),
                                List.of()),
                        List.of())
                .all();
    }

    private static NodePorts ports(int mqtt, String webSocket, int http, int count) {
        return NodePorts.of(listeners(mqtt, webSocket), http, 0, count);
    }

    private static int mqtt(NodePorts ports, int node) {
        return ports.mqtt(ports.listeners().getFirst(), node);
    }

    @Test
    void theNodesHaveConsecutivePorts() {
        NodePorts ports = ports(1883, "auto", 8080, 3);

        assertThat(mqtt(ports, 0)).isEqualTo(1883);
        assertThat(mqtt(ports, 2)).isEqualTo(1885);
        assertThat(ports.mqtt(ports.listeners().getLast(), 2)).isEqualTo(8085);
        assertThat(ports.http(2)).isEqualTo(8082);
        assertThat(ports.moved()).isEmpty();
    }

    @Test
    void withPortZeroEachNodePicksAFreePort() {
        NodePorts ports = ports(0, "auto", 0, 3);

        assertThat(mqtt(ports, 2)).isZero();
        assertThat(ports.mqtt(ports.listeners().getLast(), 2)).isZero();
        assertThat(ports.http(2)).isZero();
    }

    /** With more than three nodes, the HTTP ports reach 8083. */
    @Test
    void aStandardPortGivesWayToTheHttpPorts() {
        NodePorts ports = ports(1883, "auto", 8080, 8);

        assertThat(ports.mqtt(ports.listeners().getLast(), 0)).isEqualTo(8088);
        assertThat(ports.moved()).containsExactly(java.util.Map.entry("heddle.mqtt.ws-port", 8088));
        assertThatThrownBy(() -> ports(1883, "8083", 8080, 8))
                .hasMessageContaining("8083 to 8090 for heddle.mqtt.ws-port (--ws-port)");
    }

    @Test
    void overlappingRangesAreRejected() {
        assertThat(mqtt(ports(8077, "off", 8080, 3), 2)).isEqualTo(8079);
        assertThatThrownBy(() -> ports(8078, "off", 8080, 3))
                .hasMessageContaining("8078 to 8080")
                .hasMessageContaining("8080 to 8082");
        assertThatThrownBy(() -> ports(8082, "off", 8080, 3)).hasMessageContaining("overlap");
        assertThatThrownBy(() -> ports(1883, "1885", 8080, 3))
                .hasMessageContaining("1885 to 1887 for heddle.mqtt.ws-port")
                .hasMessageContaining("1883 to 1885 for heddle.mqtt.port");
    }

    @Test
    void eachNodeHasAPortForProbes() {
        NodePorts ports = NodePorts.of(listeners(1883, "auto"), 8080, 8100, 8);

        assertThat(ports.probes(7)).isEqualTo(8107);
        assertThat(ports(1883, "auto", 8080, 8).probes(7)).isZero();
        assertThatThrownBy(() -> NodePorts.of(listeners(1883, "off"), 8080, 8082, 3))
                .hasMessageContaining("8080 to 8082 for heddle.http.port (--http-port)")
                .hasMessageContaining("8082 to 8084 for heddle.http.probe-port");
        assertThatThrownBy(() -> NodePorts.of(listeners(1883, "off"), 8080, 1885, 3))
                .hasMessageContaining("1885 to 1887 for heddle.http.probe-port");
    }

    @Test
    void portsBeyondTheLastOneAreRejected() {
        assertThat(mqtt(ports(65_533, "off", 8080, 3), 2)).isEqualTo(65_535);
        assertThatThrownBy(() -> ports(1883, "off", 65_534, 3))
                .hasMessageContaining("heddle.http.port (--http-port) 65534")
                .hasMessageContaining("choose a lower one");
    }
}

package io.heddle.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class NodePortsTest {
    @Test
    void theNodesHaveConsecutivePorts() {
        NodePorts ports = NodePorts.of(1883, 8080, 3);

        assertThat(ports.mqtt(0)).isEqualTo(1883);
        assertThat(ports.mqtt(2)).isEqualTo(1885);
        assertThat(ports.http(2)).isEqualTo(8082);
    }

    @Test
    void withPortZeroEachNodePicksAFreePort() {
        NodePorts ports = NodePorts.of(0, 0, 3);

        assertThat(ports.mqtt(2)).isZero();
        assertThat(ports.http(2)).isZero();
    }

    @Test
    void overlappingRangesAreRejected() {
        assertThat(NodePorts.of(8077, 8080, 3).mqtt(2)).isEqualTo(8079);
        assertThatThrownBy(() -> NodePorts.of(8078, 8080, 3))
                .hasMessageContaining("8078 to 8080")
                .hasMessageContaining("8080 to 8082");
        assertThatThrownBy(() -> NodePorts.of(8082, 8080, 3)).hasMessageContaining("overlap");
    }

    @Test
    void portsBeyondTheLastOneAreRejected() {
        assertThat(NodePorts.of(65_533, 8080, 3).mqtt(2)).isEqualTo(65_535);
        assertThatThrownBy(() -> NodePorts.of(1883, 65_534, 3))
                .hasMessageContaining("heddle.http.port (--http-port) 65534")
                .hasMessageContaining("choose a lower one");
    }
}

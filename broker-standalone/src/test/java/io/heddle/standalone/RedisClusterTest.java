package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RedisClusterTest {
    @Test
    void nodesShareAllSlotsEvenly() {
        Set<String> slots = new HashSet<>();
        for (int node = 0; node < 3; node++) {
            List<String> command = List.of(RedisCluster.addSlots(node, 3));
            assertThat(command).startsWith("CLUSTER", "ADDSLOTS").hasSizeBetween(2 + 5461, 2 + 5462);
            slots.addAll(command.subList(2, command.size()));
        }
        assertThat(slots).hasSize(16_384).contains("0", "16383");
    }

    @Test
    void nodeWithSlotsIsRecognised() {
        String other = "aaaa 127.0.0.1:2@10002 master - 0 0 2 connected 0-8191\n";
        assertThat(RedisCluster.ownsSlots(other + "bbbb 127.0.0.1:1@10001 myself,master - 0 0 0 connected\n"))
                .isFalse();
        assertThat(RedisCluster.ownsSlots(
                        other + "bbbb 127.0.0.1:1@10001 myself,master - 0 0 1 connected 8192-16383\n"))
                .isTrue();
    }
}

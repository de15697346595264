package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.core.lifecycle.ClusterNode;
import io.heddle.core.lifecycle.Node;
import io.heddle.standalone.testkit.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker in this process and one in another process, which are linked. */
@OwnProcesses(because = "a process can be frozen and killed")
@Tag("ci")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LinkedBrokersIT {
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);

    @Test
    void brokersLinkToEachOtherAndALinkFollowsTheRunsOfANode() throws Exception {
        try (BrokerUnderTest first = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true")) {
            String earlier;
            try (BrokerProcess second = second()) {
                Soon.until(() -> others(first).stream().anyMatch(LinkedBrokersIT::isUp));
                ClusterNode node = others(first).getFirst();
                assertThat(node.nodeId()).isEqualTo("linked-b");
                assertThat(node.linkAddress()).matches("127\\.0\\.0\\.1:[0-9]+");
                assertThat(first.gauge("heddle.links.up")).isOne();
                earlier = node.incarnation();

                second.kill();
                second.awaitEnd(ENDS_WITHIN);
                Soon.until(() -> others(first).isEmpty());
                // The view is published before the links learn it.
                Soon.until(() -> first.gauge("heddle.links.up") + first.gauge("heddle.links.down") == 0);
            }
            try (BrokerProcess _ = second()) {
                Soon.until(() -> others(first).stream().anyMatch(LinkedBrokersIT::isUp));
                assertThat(others(first).getFirst().incarnation()).isNotEqualTo(earlier);
            }
            assertThat(first.count("heddle.links.refused", "reason", "certificate"))
                    .isZero();
            assertThat(first.count("heddle.links.faults", "reason", "certificate"))
                    .isZero();
            assertThat(first.count("heddle.links.faults", "reason", "malformed"))
                    .isZero();
        }
    }

    private static boolean isUp(ClusterNode node) {
        return Boolean.TRUE.equals(node.isLinkUp());
    }

    /** Returns the members besides the broker in this process. */
    private static List<ClusterNode> others(BrokerUnderTest broker) {
        return broker.part(Node.class).cluster().stream()
                .filter(each -> !each.isSelf())
                .toList();
    }

    private static BrokerProcess second() throws Exception {
        return BrokerProcess.withoutServers(BrokerUnderTest.settings("linked-b", TestServers.shared()))
                .awaitReady();
    }
}

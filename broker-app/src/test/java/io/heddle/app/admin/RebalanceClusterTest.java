package io.heddle.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class RebalanceClusterTest {
    private static String report(String json) {
        return RebalanceCluster.report(JsonMapper.shared().readTree(json));
    }

    @Test
    void theReportSaysWhatEachNodeDoes() {
        assertThat(report("""
                        {"nodes": [{"nodeId": "a", "connections": 600, "surplus": 270},
                                   {"nodeId": "b\\u001b", "connections": 300, "surplus": 0}], "unknown": []}""")).isEqualTo("""
                        a: 600 connections, closes 270
                        b\\u001b: 300 connections
                        The nodes log when they are done; `heddle admin nodes` shows their connections""");
    }

    @Test
    void theReportSaysThatNothingIsDone() {
        assertThat(report("{\"nodes\": [{\"nodeId\": \"a\", \"connections\": 6, \"surplus\": 0}], \"unknown\": []}"))
                .isEqualTo("a: 6 connections\nNo node has more than its share of the connections");
    }

    @Test
    void nodesWithoutAReportAreNamed() {
        assertThat(RebalanceCluster.unknown(JsonMapper.shared().readTree("{\"unknown\": [\"b\", \"c\"]}")))
                .isEqualTo("b, c");
    }
}

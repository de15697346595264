package io.heddle.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class ListNodesTest {
    private static String table(String json) {
        return ListNodes.table(JsonMapper.shared().readTree(json));
    }

    @Test
    void theColumnsAreAlignedAndEachNodeHasALine() {
        assertThat(table("""
                        [{"nodeId": "node-1", "incarnation": "7-8badf00d", "address": "10.0.0.5", "role": "SERVING",
                          "buckets": 16, "connections": 1250, "cpuUsage": 0.424, "version": "1.2.3", "recordsBehind": 0, "self": true, "linkAddress": "10.0.0.5:7883", "linkUp": null},
                         {"nodeId": "b", "incarnation": "912-00000001", "address": "", "role": "TAKING_OVER",
                          "buckets": 0, "recordsBehind": 12, "self": false, "linkAddress": "10.0.0.6:7883", "linkUp": false},
                         {"nodeId": "c", "incarnation": "9-2", "address": "", "role": "JOINING",
                          "buckets": 0, "recordsBehind": 0, "self": false, "linkAddress": "", "linkUp": null}]""")).isEqualTo("""
                        NODE    ROLE         BUCKETS  CLIENTS  CPU  LINK  BEHIND  VERSION  ADDRESS        INCARNATION
                        node-1  serving      16       1250     42%  self  0       1.2.3    10.0.0.5       7-8badf00d
                        b       taking-over  0        -        -    down  12      -        10.0.0.6:7883  912-00000001
                        c       joining      0        -        -    -     0       -        -              9-2""");
    }

    @Test
    void aFieldOfALaterVersionIsIgnoredAndAMissingOneIsADash() {
        assertThat(table("[{\"nodeId\": \"a\", \"role\": \"SERVING\", \"linkUp\": true, \"color\": \"red\"}]"))
                .endsWith("\na     serving  -        -        -    up    -       -        -        -");
    }

    @Test
    void controlCharactersDoNotReachTheTerminal() {
        assertThat(table("[{\"nodeId\": \"a\\u001b[2J\", \"role\": \"SERVING\"}]"))
                .doesNotContain("\u001b");
    }
}

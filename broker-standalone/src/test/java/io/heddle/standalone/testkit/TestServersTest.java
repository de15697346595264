package io.heddle.standalone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.standalone.Endpoints;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestServersTest {
    @Test
    void environmentWithoutServersIsIgnored() {
        assertThat(TestServers.fromEnvironment(Map.of())).isNull();
    }

    @Test
    void environmentWithAllServersIsUsed() {
        Map<String, String> environment = Map.of(
                "HEDDLE_TEST_KAFKA", "kafka:9092",
                "HEDDLE_TEST_REDIS", "redis://redis:6379",
                "HEDDLE_TEST_POSTGRES_URL", "jdbc:postgresql://db/x",
                "HEDDLE_TEST_POSTGRES_USER", "me",
                "HEDDLE_TEST_POSTGRES_PASSWORD", "secret");
        assertThat(TestServers.fromEnvironment(environment))
                .isEqualTo(new Endpoints(
                        "kafka:9092", "", "redis://redis:6379", "jdbc:postgresql://db/x", "me", "secret"));
    }

    @Test
    void environmentWithSomeServersIsRejected() {
        assertThatThrownBy(() -> TestServers.fromEnvironment(Map.of("HEDDLE_TEST_KAFKA", "kafka:9092")))
                .hasMessageContainingAll("HEDDLE_TEST_KAFKA", "HEDDLE_TEST_REDIS", "HEDDLE_TEST_POSTGRES_URL");
    }
}

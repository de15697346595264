package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.testkit.TestServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker process and a standby, with {@code heddle.cluster.serving-nodes=one}. The serving one is killed while clients publish. */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("ci")
@Tag("alone")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class StandbyIT {
    private static final Logger log = LoggerFactory.getLogger(StandbyIT.class);
    private static final Duration SERVES_WITHIN = Duration.ofSeconds(5);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    private static final int PER_SECOND = 500;
    private static final int MESSAGES = 200;

    @Test
    void theStandbyServesWithinSecondsAndNothingIsLostOrRepeated() throws Exception {
        try (BrokerProcess first = node("standby-a").awaitReady();
                BrokerProcess second = node("standby-b").awaitStandby()) {
            assertStandsBy(second);
            assertThat(get(second, "/actuator/health/liveness")).isEqualTo("200 {\"status\":\"UP\"}");
            AtomicReference<BrokerProcess> serving = new AtomicReference<>(first);
            try (SteadyLoad load =
                    SteadyLoad.begin(PER_SECOND, () -> serving.get().mqttPort())) {
                load.connectClientsWithWills("will");
                load.awaitAcknowledged(MESSAGES);

                long killed = System.nanoTime();
                first.kill();
                serving.set(second.awaitReady());
                Duration outage = load.untilConnAck(killed);
                log.info("CONNACK of the standby after kill -9: {}", outage);
                first.awaitEnd(ENDS_WITHIN);

                load.expectWills("will");
                load.awaitAcknowledged(MESSAGES);
                load.finish();
                assertThat(get(second, "/actuator/health/readiness")).isEqualTo("200 {\"status\":\"UP\"}");
                assertThat(outage).isLessThan(SERVES_WITHIN);
            }
        }
    }

    /** Asserts that a broker says that another one serves. */
    static void assertStandsBy(BrokerProcess broker) throws IOException, InterruptedException {
        assertThat(get(broker, "/actuator/health/readiness")).isEqualTo("503 {\"status\":\"STANDBY\"}");
        assertThat(get(broker, "/actuator/health/serving")).isEqualTo("503 {\"status\":\"STANDBY\"}");
    }

    private static String get(BrokerProcess broker, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.httpPort() + path))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() + " " + response.body();
        }
    }

    private static BrokerProcess node(String id) throws Exception {
        return BrokerProcess.withoutServers(BrokerUnderTest.settings(
                id,
                TestServers.shared(),
                "--heddle.authentication.anonymous.enabled=true",
                DeliveryPath.SETTING,
                "--heddle.cluster.serving-nodes=one",
                "--heddle.cluster.lease=10s",
                "--heddle.cluster.heartbeat-interval=1s"));
    }
}

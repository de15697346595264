package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three brokers that all serve are restarted one after the other while clients of all of them publish and receive. The test has its own
 * servers. It logs how long the clients were without a connection or an answer, and how long the buckets were without a holder.
 */
@Tag("outage")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class RollingRestartIT {
    private static final Logger log = LoggerFactory.getLogger(RollingRestartIT.class);
    private static final Duration READY = Duration.ofMinutes(2);
    private static final Duration STEADY_WITHIN = Duration.ofMinutes(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(5);
    private static final int AFTER_TERM = 143;
    private static final int NODES = 3;
    private static final int LOADS = 4;
    private static final int PER_SECOND = 50;
    private static final int MESSAGES = 200;
    private static final Pattern PASSWORD = Pattern.compile("admin, password (\\S+)");
    private static final Pattern HAND_OVER = Pattern.compile("handedOver: (.*)");

    private final List<BrokerProcess> nodes = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();

    @Test
    void aRollingRestartLosesNothingAndAllClientsComeBack(@TempDir Path directory) throws Exception {
        try (Servers servers =
                Servers.builder(directory).tuning(Tuning.OUTAGE_TESTS).start()) {
            servers.awaitReady(READY);
            List<SteadyLoad> loads = new ArrayList<>();
            try {
                for (int i = 0; i < NODES; i++) {
                    nodes.add(start(servers, i));
                }
                String password = PASSWORD.matcher(nodes.getFirst().output())
                        .results()
                        .findFirst()
                        .orElseThrow()
                        .group(1);
                awaitSteady(password);
                for (int i = 0; i < LOADS; i++) {
                    loads.add(SteadyLoad.begin(PER_SECOND, this::nextPort));
                }
                loads.forEach(load -> load.awaitAcknowledged(MESSAGES));

                for (int i = 0; i < NODES; i++) {
                    restart(servers, i);
                    awaitSteady(password);
                    loads.forEach(load -> load.awaitAcknowledged(MESSAGES));
                }

                loads.forEach(SteadyLoad::stopPublishing);
                for (SteadyLoad load : loads) {
                    load.finish();
                    log.info(
                            "Connections ended by the drains: {}; longest time without a connection of each client: {};"
                                    + " longest time without an answer of each publisher: {}",
                            load.lostConnections(),
                            load.longestAbsences(),
                            load.longestPauses());
                }
                assertThat(loads)
                        .allSatisfy(load -> assertThat(load.longestAbsences())
                                .allSatisfy(absence -> assertThat(absence).isLessThan(LONGEST_ABSENCE)));
                assertThat(loads.stream().mapToInt(SteadyLoad::lostConnections).sum())
                        .isPositive();
            } finally {
                loads.forEach(SteadyLoad::close);
                nodes.forEach(BrokerProcess::close);
            }
        }
    }

    /** Returns the port of one node after the other. */
    private int nextPort() {
        return nodes.get(Math.floorMod(turn.getAndIncrement(), NODES)).mqttPort();
    }

    private void restart(Servers servers, int number) throws Exception {
        BrokerProcess stopped = nodes.get(number);
        long begin = System.nanoTime();
        stopped.terminate();
        assertThat(stopped.awaitEnd(ENDS_WITHIN).status()).isEqualTo(AFTER_TERM);
        Duration drained = Duration.ofNanos(System.nanoTime() - begin);
        logHandOvers(number, stopped);
        nodes.set(number, start(servers, number));
        log.info(
                "Node {} was stopped in {} and serves again after {}",
                number,
                drained,
                Duration.ofNanos(System.nanoTime() - begin));
    }

    private void logHandOvers(int number, BrokerProcess node) {
        log.info(
                "Buckets that node {} has handed over: {}",
                number,
                HAND_OVER
                        .matcher(node.output())
                        .results()
                        .map(MatchResult::group)
                        .toList());
    }

    private static BrokerProcess start(Servers servers, int number) throws IOException {
        return BrokerProcess.withoutServers(BrokerUnderTest.defaultSettings(
                        "rolling-" + number,
                        servers.endpoints(),
                        // A node starts late while the other ones are under load.
                        "--heddle.kafka.connect-timeout=60s",
                        "--heddle.redis.connect-timeout=60s",
                        "--heddle.postgres.connect-timeout=60s",
                        "--heddle.authentication.anonymous.enabled=true",
                        // Clients that are away get all messages of the test.
                        "--heddle.session.maximum-queued-messages=1000000",
                        "--heddle.session.maximum-queued-bytes=100MB",
                        DeliveryPath.SETTING))
                .awaitReady();
    }

    private void awaitSteady(String password) {
        await().atMost(STEADY_WITHIN).pollInterval(POLL_INTERVAL).until(() -> isSteady(nodes.getFirst(), password));
    }

    private static boolean isSteady(BrokerProcess node, String password) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            String credentials = Base64.getEncoder().encodeToString(("admin:" + password).getBytes(UTF_8));
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + node.httpPort() + "/api/v1/cluster"))
                    .header("Authorization", "Basic " + credentials)
                    .timeout(Duration.ofSeconds(60))
                    .build();
            String body =
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return body.contains("\"steady\":true") && body.contains("\"servingNodes\":" + NODES);
        }
    }
}

package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.standalone.Endpoints;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Brokers that all serve, and are replaced one after the other while the others serve. The clients may ask for ports in any thread; the
 * rest belongs to the test thread.
 */
final class ServingNodes implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServingNodes.class);
    private static final Duration STEADY_WITHIN = Duration.ofMinutes(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    private static final int AFTER_TERM = 143;
    private static final int OK = 200;
    private static final int SHOWN_CHARACTERS = 10_000;
    private static final Pattern HAND_OVER = Pattern.compile("handedOver: (.*)");

    /** A build of the broker. */
    @FunctionalInterface
    interface Build {
        /** Starts a broker of this build without servers of its own. */
        BrokerProcess start(List<String> settings) throws IOException;
    }

    private final Endpoints endpoints;
    private final List<String> settings;
    private final List<BrokerProcess> nodes = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final HttpClient http = HttpClient.newHttpClient();
    private String password = "";

    private ServingNodes(Endpoints endpoints, List<String> settings) {
        this.endpoints = endpoints;
        this.settings = settings;
        FailureReport.add(
                this,
                () -> nodes.stream()
                        .map(node -> "process " + node.pid() + " wrote:\n" + latest(node.output() + node.errors()))
                        .toList()
                        .toString());
    }

    private static String latest(String output) {
        return output.substring(Math.max(0, output.length() - SHOWN_CHARACTERS));
    }

    /**
     * Starts nodes on the servers of the test, one after the other; returns when the cluster is steady.
     *
     * @param password of the administrator, or empty if the first node draws one
     * @param further settings of each node
     */
    static ServingNodes start(Endpoints endpoints, Build build, int number, String password, String... further)
            throws IOException {
        List<String> settings = new ArrayList<>(List.of(
                // A node starts late while the other ones are under load.
                "--heddle.kafka.connect-timeout=60s",
                "--heddle.redis.connect-timeout=60s",
                "--heddle.postgres.connect-timeout=60s",
                "--heddle.authentication.anonymous.enabled=true",
                // Clients that are away get all messages of the test.
                "--heddle.session.maximum-queued-messages=1000000",
                "--heddle.session.maximum-queued-bytes=100MB",
                DeliveryPath.SETTING));
        settings.addAll(Arrays.asList(further));
        ServingNodes started = new ServingNodes(endpoints, settings);
        boolean complete = false;
        try {
            for (int i = 0; i < number; i++) {
                started.nodes.add(started.start(build, i));
            }
            started.password = password.isEmpty()
                    ? started.nodes.getFirst().administratorPassword().orElseThrow()
                    : password;
            started.awaitSteady();
            complete = true;
            return started;
        } finally {
            if (!complete) {
                started.close();
            }
        }
    }

    private BrokerProcess start(Build build, int number) throws IOException {
        BrokerProcess starting = build.start(
                BrokerUnderTest.defaultSettings("node-" + number, endpoints, settings.toArray(String[]::new)));
        boolean complete = false;
        try {
            starting.awaitReady();
            complete = true;
            return starting;
        } finally {
            if (!complete) {
                starting.close();
            }
        }
    }

    /** Stops a node with SIGTERM and starts one of a build in its place; returns when the cluster is steady again. */
    void replace(int number, Build build) throws Exception {
        long begin = System.nanoTime();
        stop(nodes.get(number));
        Duration drained = Duration.ofNanos(System.nanoTime() - begin);
        log.info(
                "Buckets that node {} has handed over: {}",
                number,
                HAND_OVER
                        .matcher(nodes.get(number).output())
                        .results()
                        .map(MatchResult::group)
                        .toList());
        nodes.set(number, start(build, number));
        log.info(
                "Node {} was stopped in {} and serves again after {}",
                number,
                drained,
                Duration.ofNanos(System.nanoTime() - begin));
        awaitSteady();
    }

    /** Stops all nodes with SIGTERM, one after the other. */
    void stopAll() throws Exception {
        for (BrokerProcess node : nodes) {
            stop(node);
        }
    }

    private static void stop(BrokerProcess node) throws Exception {
        node.terminate();
        assertThat(node.awaitEnd(ENDS_WITHIN).status()).isEqualTo(AFTER_TERM);
        node.close();
    }

    private void awaitSteady() {
        Soon.until(STEADY_WITHIN, POLL_INTERVAL, () -> {
            JsonNode cluster = get(0, "/api/v1/cluster");
            return cluster.path("steady").asBoolean(false)
                    && cluster.path("servingNodes").asInt(0) == nodes.size();
        });
    }

    int count() {
        return nodes.size();
    }

    /** Returns the administrator's password. */
    String password() {
        return password;
    }

    /** Returns the port of one node after the other. */
    int nextPort() {
        return port(Math.floorMod(turn.getAndIncrement(), nodes.size()));
    }

    int port(int node) {
        return nodes.get(node).mqttPort();
    }

    /** Returns what a node has written. */
    String output(int node) {
        return nodes.get(node).output() + nodes.get(node).errors();
    }

    /** Sends a request of the administrator. */
    HttpResponse<String> send(int node, String method, String path, String body)
            throws IOException, InterruptedException {
        String credentials = Base64.getEncoder().encodeToString(("admin:" + password).getBytes(UTF_8));
        return http.send(
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + nodes.get(node).httpPort() + path))
                        .header("Authorization", "Basic " + credentials)
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofSeconds(60))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Returns the answer to a request of the administrator that succeeds. */
    JsonNode get(int node, String path) throws IOException, InterruptedException {
        HttpResponse<String> response = send(node, "GET", path, "");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(OK);
        return JsonMapper.shared().readTree(response.body());
    }

    @Override
    public void close() {
        FailureReport.remove(this);
        nodes.forEach(BrokerProcess::close);
        http.close();
    }
}

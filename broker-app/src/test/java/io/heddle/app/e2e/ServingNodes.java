package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.standalone.Endpoints;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Brokers that all serve, and are restarted one after the other while the others serve. The clients may ask for ports in any thread; the
 * rest belongs to the test thread.
 */
final class ServingNodes implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServingNodes.class);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    private static final int AFTER_TERM = 143;
    private static final int SHOWN_CHARACTERS = 10_000;
    private static final Pattern HAND_OVER = Pattern.compile("handedOver: (.*)");

    private final Endpoints endpoints;
    private final List<String> settings;
    private final List<BrokerProcess> nodes = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final String password;
    private final RestClient administrator;

    private ServingNodes(Endpoints endpoints, List<String> settings, BrokerProcess first, String password) {
        this.endpoints = endpoints;
        this.settings = settings;
        this.password = password.isEmpty() ? first.administratorPassword().orElseThrow() : password;
        administrator = new RestClient("admin", this.password);
        nodes.add(first);
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
    static ServingNodes start(Endpoints endpoints, int number, String password, String... further) throws IOException {
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
        ServingNodes started = new ServingNodes(endpoints, settings, start(0, endpoints, settings), password);
        boolean complete = false;
        try {
            for (int i = 1; i < number; i++) {
                started.nodes.add(start(i, endpoints, settings));
            }
            started.awaitSteady();
            complete = true;
            return started;
        } finally {
            if (!complete) {
                started.close();
            }
        }
    }

    private static BrokerProcess start(int number, Endpoints endpoints, List<String> settings) throws IOException {
        BrokerProcess starting = BrokerProcess.withoutServers(
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

    /** Stops a node with SIGTERM and starts it again; returns when the cluster is steady again. */
    void restart(int number) throws Exception {
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
        nodes.set(number, start(number, endpoints, settings));
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
        administrator.awaitSteady(nodes.getFirst(), nodes.size());
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

    /** Connects a client to a node; fails with what the node has written if it refuses. */
    RawClient open(RawConnect connect, int node) {
        try {
            return connect.open(port(node));
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ", and the node wrote:\n" + latest(output(node)), e);
        }
    }

    /** Returns what a node has written. */
    String output(int node) {
        return nodes.get(node).output() + nodes.get(node).errors();
    }

    /** Sends a request of the administrator. */
    HttpResponse<String> send(int node, String method, String path, String body)
            throws IOException, InterruptedException {
        return administrator.send(nodes.get(node), method, path, body);
    }

    /** Returns the answer to a request of the administrator that succeeds. */
    JsonNode get(int node, String path) throws IOException, InterruptedException {
        return administrator.get(nodes.get(node), path);
    }

    @Override
    public void close() {
        FailureReport.remove(this);
        nodes.forEach(BrokerProcess::close);
        administrator.close();
    }
}

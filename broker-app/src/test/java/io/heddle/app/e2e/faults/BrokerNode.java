package io.heddle.app.e2e.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.app.e2e.RedundantServers;
import io.heddle.app.e2e.Soon;
import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.Ended;
import io.heddle.standalone.testkit.Relay;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One broker of the cluster through all its runs, and the relays between it, the stores and the other brokers. The test thread starts and ends it;
 * any thread may ask for the port.
 */
final class BrokerNode implements AutoCloseable {
    static final int NODE_IS_OVER = 75;
    private static final Duration UP_WITHIN = Duration.ofMinutes(5);
    private static final Duration ENDS_WITHIN = Duration.ofMinutes(1);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(20);
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern LINK_PORT = Pattern.compile("Listening for links of other nodes: .*port=([0-9]+)");

    private static final Pattern JOINED = Pattern.compile("Joined the cluster: (nodeId=[^,]+), (incarnation=[^,]+),");
    private static final Pattern DECLARED = Pattern.compile(
            "Declaring a node dead that is silent or has ended: (nodeId=[^,]+), (incarnation=[^,\\s]+)");

    /** The directory that keeps what the brokers wrote; empty if nothing is kept. */
    private static final String OUTPUT = System.getProperty("heddle.test.output", "");

    private final String id;
    private final RedundantServers servers;
    private final String[] settings;
    private final RoadToKafka kafka;
    private final RoadToRedis redis;
    private final Relay postgres = Relay.open();
    private final LinkRoads links;
    private volatile BrokerProcess process;
    private volatile int port;
    // Owned by the test thread.
    private boolean linked;

    BrokerNode(String id, RedundantServers servers, RoadToKafka kafka, LinkRoads links, String... settings)
            throws Exception {
        this.id = id;
        this.servers = servers;
        this.kafka = kafka;
        this.redis = RoadToRedis.open(servers.redisUrls());
        this.links = links;
        this.settings = settings.clone();
        postgres.forwardTo(servers.postgresPort());
        this.process = launch();
    }

    private BrokerProcess launch() throws Exception {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("--heddle.kafka.bootstrap-servers=" + kafka.bootstrapServers());
        all.add(redis.setting());
        all.add("--heddle.postgres.url=" + servers.postgresUrl(postgres.port()));
        all.add("--heddle.cluster.advertise=127.0.0.1:" + links.port());
        all.add("--heddle.cluster.bind=127.0.0.1");
        return servers.broker(id, List.of(kafka.jvmOption()), all.toArray(String[]::new));
    }

    String id() {
        return id;
    }

    BrokerProcess process() {
        return process;
    }

    /** The ways of the other brokers to the port for links. */
    LinkRoads links() {
        return links;
    }

    RoadToRedis redis() {
        return redis;
    }

    Relay postgres() {
        return postgres;
    }

    RoadToKafka kafka() {
        return kafka;
    }

    /** Returns the port for clients; empty if the broker has not announced one, or has ended. */
    OptionalInt listening() {
        BrokerProcess running = process;
        if (!running.isAlive()) {
            return OptionalInt.empty();
        }
        if (port == 0 && running.isReady()) {
            port = running.mqttPort();
        }
        return port == 0 ? OptionalInt.empty() : OptionalInt.of(port);
    }

    /** Returns the checksums of the state of a broker that is up: the part of the answer as JSON; empty while it does not serve. */
    String checksums(String administratorPassword) throws IOException, InterruptedException {
        String account = "admin:" + administratorPassword;
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + process.httpPort() + "/api/v1/nodes?checksums=true"))
                .timeout(ANSWERS_WITHIN)
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(account.getBytes(UTF_8)))
                .build();
        HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new AssertionError(id + " has answered " + response.statusCode() + ": " + response.body());
        }
        for (JsonNode node : JsonMapper.shared().readTree(response.body()).path("items")) {
            if (node.path("self").asBoolean(false) && node.path("checksums").isObject()) {
                return node.path("checksums").toString();
            }
        }
        return "";
    }

    /** Returns when all brokers serve or stand by, and reach each other. None of them serves before the others reach it. */
    static void awaitUp(List<BrokerNode> brokers) {
        // Not a short-circuit: each of them must be reached.
        Soon.until(
                UP_WITHIN,
                () -> brokers.stream().filter(each -> !each.isUp()).toList().isEmpty());
    }

    private boolean isUp() {
        if (!process.isAlive()) {
            throw new AssertionError(id + " has ended:\n" + process.output() + process.errors());
        }
        if (!linked) {
            Matcher line = LINK_PORT.matcher(process.output() + process.errors());
            if (line.find()) {
                links.forwardTo(Integer.parseInt(line.group(1)));
                linked = true;
            }
        }
        return linked && process.isUp();
    }

    /** Returns how often this run of the broker has declared another one dead. */
    long declarationsOf(String nodeId) {
        return (process.output() + process.errors())
                .lines()
                .filter(line -> line.contains("Declaring a node dead") && line.contains("nodeId=" + nodeId + ","))
                .count();
    }

    /** Returns whether this run of the broker has declared the present run of another one dead. */
    boolean hasDeclaredDead(BrokerNode other) {
        Matcher joined = JOINED.matcher(other.process.output() + other.process.errors());
        return joined.find()
                && DECLARED.matcher(process.output() + process.errors())
                        .results()
                        .anyMatch(each -> each.group(1).equals(joined.group(1))
                                && each.group(2).equals(joined.group(2)));
    }

    Ended awaitEnd() throws InterruptedException {
        return process.awaitEnd(ENDS_WITHIN);
    }

    /** Starts the broker again after its end. */
    void restart() throws Exception {
        port = 0;
        linked = false;
        keepOutput();
        servers.retire(process);
        process = launch();
    }

    private void keepOutput() throws IOException {
        if (!OUTPUT.isEmpty()) {
            Files.writeString(Path.of(OUTPUT, id + "-" + process.pid() + ".log"), process.output() + process.errors());
        }
    }

    @Override
    public void close() throws IOException {
        // While it reaches its stores: else it waits for them.
        process.close();
        keepOutput();
        links.close();
        kafka.close();
        redis.close();
        postgres.close();
    }
}

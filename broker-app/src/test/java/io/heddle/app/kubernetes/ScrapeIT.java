package io.heddle.app.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.Servers;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The metrics that dashboards and alert rules read are in a scrape of running brokers. */
@OwnProcesses(because = "a scrape has the metrics of a whole JVM")
@Tag("ci")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ScrapeIT {
    /** Metrics that do not exist before their event: a first refusal, fault, failure or handshake, or a transfer between nodes; and those of TLS. */
    private static final Set<String> AFTER_AN_EVENT = Set.of(
            "heddle_kafka_append_failures_total",
            "heddle_limits_refusals_total",
            "heddle_redis_failures_total",
            "heddle_tls_expiry_seconds",
            "heddle_tls_handshake_failures_total",
            "heddle_tls_handshakes_total",
            "heddle_tls_ocsp_missing",
            "heddle_tls_reloads_total");

    private static final Pattern NAME = Pattern.compile("^([a-zA-Z_:][a-zA-Z0-9_:]*)[{ ]", Pattern.MULTILINE);

    private final List<BrokerProcess> nodes = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private @Nullable Servers servers;

    @AfterEach
    void stop() {
        nodes.forEach(BrokerProcess::close);
        http.close();
        if (servers != null) {
            servers.close();
        }
    }

    @Test
    void everyMetricOfDashboardsAndAlertsIsInAScrape(@TempDir Path directory) throws Exception {
        Servers started = Servers.builder(directory).start();
        servers = started;
        started.awaitReady(Duration.ofMinutes(2));
        Path secret = Files.write(directory.resolve("secret"), new byte[32]);
        nodes.add(BrokerProcess.withoutServers(
                        settings("a", started.endpoints(), "--heddle.authentication.jwt.hmac-key=" + secret))
                .awaitReady());
        // No server has this port, so that a fetch fails.
        nodes.add(BrokerProcess.withoutServers(settings(
                        "b", started.endpoints(), "--heddle.authentication.jwt.jwks-url=http://127.0.0.1:1/keys"))
                .awaitReady());
        exchangeMessages();
        Set<String> wanted = used();
        wanted.removeAll(AFTER_AN_EVENT);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(scraped()).containsAll(wanted));
    }

    private static List<String> settings(String id, Endpoints endpoints, String tokenKeys) {
        List<String> all = new ArrayList<>(List.of(
                "--heddle.node.id=" + id,
                "--heddle.authentication.methods=password,jwt",
                tokenKeys,
                "--heddle.mqtt.port=0",
                "--heddle.http.port=0",
                "--heddle.cluster.port=0",
                "--heddle.buckets.count=16",
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.authentication.anonymous.application-clients=application-*",
                "--heddle.events.kinds=connected",
                "--heddle.kafka.replication-factor=1",
                // The machine may be busy.
                "--heddle.kafka.connect-timeout=60s",
                "--heddle.redis.connect-timeout=60s",
                "--heddle.postgres.connect-timeout=60s",
                "--heddle.kafka.bootstrap-servers=" + endpoints.kafkaBootstrapServers(),
                "--heddle.redis.url=" + endpoints.redisUrl(),
                "--heddle.postgres.url=" + endpoints.postgresUrl(),
                "--heddle.postgres.user=" + endpoints.postgresUser(),
                "--heddle.postgres.password=" + endpoints.postgresPassword()));
        endpoints.kafkaSecurity().forEach((name, value) -> all.add("--heddle.kafka.properties." + name + "=" + value));
        return all;
    }

    /** From a client of the first node to clients of the second one, with and without persistent sessions. */
    private void exchangeMessages() {
        List<Mqtt5BlockingClient> subscribers = List.of(
                connected(1, "device-1", 600), connected(1, "application-1", 600), connected(1, "transient-1", 0));
        for (Mqtt5BlockingClient each : subscribers) {
            each.subscribeWith()
                    .topicFilter("scrape/#")
                    .qos(MqttQos.EXACTLY_ONCE)
                    .send();
        }
        Mqtt5BlockingClient publisher = connected(0, "publisher-1", 600);
        for (MqttQos qos : MqttQos.values()) {
            publisher
                    .publishWith()
                    .topic("scrape/" + qos.getCode())
                    .qos(qos)
                    .retain(true)
                    .payload("21.5".getBytes(UTF_8))
                    .send();
        }
        HiveMqGoodbye.disconnect(publisher);
        subscribers.forEach(HiveMqGoodbye::disconnect);
    }

    private Mqtt5BlockingClient connected(int node, String clientId, long expirySeconds) {
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier(clientId)
                .serverHost("127.0.0.1")
                .serverPort(nodes.get(node).mqttPort())
                .buildBlocking();
        client.connectWith().sessionExpiryInterval(expirySeconds).send();
        return client;
    }

    private static Set<String> used() {
        Set<String> names = new TreeSet<>();
        PrometheusNames.ofRules(ProjectFiles.read("k8s/helm/heddle/files/alerts.yaml"))
                .forEach(each -> names.addAll(PrometheusNames.usedBy(each)));
        for (String file : ProjectFiles.in("k8s/helm/heddle/files/dashboards", ".json")) {
            PrometheusNames.ofDashboard(ProjectFiles.read(file))
                    .forEach(each -> names.addAll(PrometheusNames.usedBy(each)));
        }
        return names;
    }

    /** Returns the names of the series of all nodes. */
    private Set<String> scraped() throws IOException, InterruptedException {
        String password = nodes.getFirst().administratorPassword().orElseThrow();
        String credentials = Base64.getEncoder().encodeToString(("admin:" + password).getBytes(UTF_8));
        Set<String> names = new TreeSet<>();
        for (BrokerProcess node : nodes) {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.httpPort() + "/actuator/prometheus"))
                            .header("Authorization", "Basic " + credentials)
                            .timeout(Duration.ofSeconds(60))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            Matcher name = NAME.matcher(response.body());
            while (name.find()) {
                names.add(name.group(1));
            }
        }
        return names;
    }
}

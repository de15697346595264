package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.e2e.browser.Chromium;
import io.heddle.app.e2e.browser.ConsoleWindow;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Three brokers with clients that publish and subscribe, and the window of an administrator at the first one. One test thread. */
final class ConsoleUnderTest implements AutoCloseable {
    /** Enough messages to fill a queue, and few enough to do so soon. */
    static final int QUEUE = 100;

    private static final int PUMPS = 12;
    private static final int WAITING = 5;
    private static final int PAUSE_MILLIS = 25;

    private final Chromium browser;
    private final AdministeredNodes nodes;
    private final ConsoleWindow admin;
    private final List<RawClient> pumps = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();
    private @Nullable Future<?> publishing;

    private ConsoleUnderTest(Chromium browser, AdministeredNodes nodes) {
        this.browser = browser;
        this.nodes = nodes;
        admin = window().signIn("admin", nodes.password());
    }

    static ConsoleUnderTest start(Chromium browser, Path directory, int sessions) throws Exception {
        AdministeredNodes nodes = AdministeredNodes.startWithSessions(
                directory,
                "meter",
                sessions,
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.mqtt.ws-port=0",
                "--heddle.session.maximum-queued-messages=" + QUEUE,
                DeliveryPath.SETTING);
        ConsoleUnderTest console = new ConsoleUnderTest(browser, nodes);
        console.fill();
        return console;
    }

    AdministeredNodes nodes() {
        return nodes;
    }

    /** Returns the window of the administrator "admin" at the first node. */
    ConsoleWindow admin() {
        return admin;
    }

    /** Opens a window at the first node, without signing in. */
    ConsoleWindow window() {
        return browser.window(
                "http://" + ListenerAddress.HOST + ":" + nodes.node(0).httpPort());
    }

    /** Returns how many clients each node has, besides those of the tests. */
    int pumpsOfANode() {
        return PUMPS / AdministeredNodes.COUNT;
    }

    /** Replaces the rules. */
    void rules(String text) throws Exception {
        nodes.ok(0, "PUT", "/api/v1/rules", JsonMapper.shared().writeValueAsString(Map.of("text", text)));
    }

    /** Leaves something to see on each page. */
    private void fill() throws Exception {
        for (int i = 0; i < PUMPS; i++) {
            pumps.add(pump(i, i % AdministeredNodes.COUNT).subscribe("plant/" + i + "/+", 0));
        }
        new RawConnect(MqttVersion.MQTT_5, "app-billing")
                .persistent(600)
                .open(nodes.port(1))
                .subscribe("plant/+/alarm", 1)
                .close();
        pumps.add(new RawConnect("pump-slow")
                .receiveMaximum(1)
                .open(nodes.port(AdministeredNodes.COUNT - 1))
                .subscribe("plant/slow", 1));
        for (int i = 0; i < WAITING; i++) {
            post("publish", "{'topic': 'plant/slow', 'payload': 'off', 'qos': 1}");
        }
        post("publish", "{'topic': 'plant/3/state', 'payload': 'on', 'qos': 1, 'retain': true}");
        post("api-keys", "{'name': 'prometheus', 'role': 'VIEWER'}");
        post("blocked-clients", "{'kind': 'CLIENT_ID', 'value': 'pump-99', 'reason': 'Floods the plant.'}");
        post(
                "credentials",
                "{'userName': 'pumps', 'type': 'DEVICE', 'password': 'correct horse battery', 'groups': ['plant']}");
        publishing = load.scheduleAtFixedRate(this::publish, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void post(String resource, String body) throws Exception {
        HttpResponse<String> answer = nodes.send(0, "POST", "/api/v1/" + resource, body.replace('\'', '"'));
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
    }

    private RawClient pump(int number, int node) {
        return new RawConnect("pump-" + number).open(nodes.port(node));
    }

    private static boolean isAtTheLastNode(int number) {
        return number % AdministeredNodes.COUNT == AdministeredNodes.COUNT - 1;
    }

    /** Clients of the other nodes publish for all. */
    private void publish() {
        for (int i = 0; i < PUMPS; i++) {
            if (!isAtTheLastNode(i)) {
                pumps.get(i).publish("plant/" + (i + 1) % PUMPS + "/state", "{\"on\": true}", 0, 0, false);
            }
        }
    }

    /** Lets the clients of the last node, which has closed their connections, connect to the two others. */
    void move() {
        for (int i = 0; i < PUMPS; i++) {
            if (isAtTheLastNode(i)) {
                pumps.get(i).close();
                pumps.set(i, pump(i, i / AdministeredNodes.COUNT % (AdministeredNodes.COUNT - 1)));
            }
        }
    }

    @Override
    public void close() {
        boolean hasFailed = publishing != null && publishing.isDone();
        load.shutdownNow();
        pumps.forEach(RawClient::close);
        nodes.close();
        assertThat(hasFailed).as("a client could not publish").isFalse();
    }
}

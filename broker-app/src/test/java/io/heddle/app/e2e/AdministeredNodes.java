package io.heddle.app.e2e;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.process.SupervisedProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Three brokers on servers of their own, and their administrator, who may ask any of them. One test thread. */
final class AdministeredNodes implements AutoCloseable {
    static final int COUNT = 3;

    private static final Duration READY = Duration.ofMinutes(2);

    private final Servers servers;
    private final List<BrokerProcess> nodes;
    private final RestClient administrator;
    private final String password;

    private AdministeredNodes(Servers servers, List<BrokerProcess> nodes, String password) {
        this.servers = servers;
        this.nodes = nodes;
        this.password = password;
        administrator = new RestClient("admin", password);
    }

    /** Starts brokers with these settings, each {@code --key=value}; returns when the cluster is steady. */
    static AdministeredNodes start(Path directory, String... settings) throws Exception {
        return startWithSessions(directory, "", 0, settings);
    }

    /** As {@link #start}, with {@link StoredSessions}. */
    static AdministeredNodes startWithSessions(Path directory, String name, int count, String... settings)
            throws Exception {
        Servers servers = Servers.builder(directory).tuning(Tuning.OUTAGE_TESTS).start();
        List<BrokerProcess> nodes = new ArrayList<>();
        boolean complete = false;
        try {
            servers.awaitReady(READY);
            // The first one creates the administrator and prints the password.
            nodes.add(start(servers, 0, settings).awaitReady());
            String password = nodes.getFirst().administratorPassword().orElseThrow();
            if (count > 0) {
                nodes.removeFirst().close();
                StoredSessions.write(servers, name, count);
            }
            while (nodes.size() < COUNT) {
                nodes.add(start(servers, nodes.size(), settings));
            }
            nodes.forEach(BrokerProcess::awaitReady);
            AdministeredNodes started = new AdministeredNodes(servers, nodes, password);
            started.administrator.awaitSteady(nodes.getFirst(), COUNT);
            complete = true;
            return started;
        } finally {
            if (!complete) {
                close(nodes, servers);
            }
        }
    }

    private static BrokerProcess start(Servers servers, int number, String... settings) throws IOException {
        // Room for many sessions.
        return BrokerProcess.withoutServers(
                List.of("-Xmx1g"), BrokerUnderTest.settings(id(number), servers.endpoints(), settings));
    }

    private static void close(List<BrokerProcess> nodes, Servers servers) {
        nodes.forEach(BrokerProcess::close);
        servers.close();
    }

    /** Returns the node id of a broker. */
    static String id(int number) {
        return "heddle-" + number;
    }

    Endpoints endpoints() {
        return servers.endpoints();
    }

    SupervisedProcess kafka() {
        return servers.process(Server.KAFKA, 0);
    }

    BrokerProcess node(int number) {
        return nodes.get(number);
    }

    int port(int number) {
        return nodes.get(number).mqttPort();
    }

    RestClient administrator() {
        return administrator;
    }

    /** Returns the password of the administrator "admin". */
    String password() {
        return password;
    }

    HttpResponse<String> send(int number, String method, String path, String body)
            throws IOException, InterruptedException {
        return administrator.send(nodes.get(number), method, path, body);
    }

    /** Sends a request that must be answered with 200, and returns the answer. */
    JsonNode ok(int number, String method, String path, String body) throws IOException, InterruptedException {
        return administrator.ok(nodes.get(number), method, path, body);
    }

    JsonNode get(int number, String path) throws IOException, InterruptedException {
        return administrator.get(nodes.get(number), path);
    }

    @Override
    public void close() {
        administrator.close();
        close(nodes, servers);
    }
}

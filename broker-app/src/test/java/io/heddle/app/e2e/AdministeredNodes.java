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

    private AdministeredNodes(Servers servers, List<BrokerProcess> nodes, RestClient administrator) {
        this.servers = servers;
        this.nodes = nodes;
        this.administrator = administrator;
    }

    /** Starts brokers with these settings, each {@code --key=value}; returns when the cluster is steady. */
    static AdministeredNodes start(Path directory, String... settings) throws Exception {
        Servers servers = Servers.builder(directory).tuning(Tuning.OUTAGE_TESTS).start();
        List<BrokerProcess> nodes = new ArrayList<>();
        boolean complete = false;
        try {
            servers.awaitReady(READY);
            // The first one creates the administrator and prints the password.
            nodes.add(start(servers, 0, settings).awaitReady());
            for (int i = 1; i < COUNT; i++) {
                nodes.add(start(servers, i, settings));
            }
            nodes.forEach(BrokerProcess::awaitReady);
            RestClient administrator = RestClient.signIn(nodes.getFirst());
            administrator.awaitSteady(nodes.getFirst(), COUNT);
            complete = true;
            return new AdministeredNodes(servers, nodes, administrator);
        } finally {
            if (!complete) {
                close(nodes, servers);
            }
        }
    }

    private static BrokerProcess start(Servers servers, int number, String... settings) throws IOException {
        return BrokerProcess.withoutServers(BrokerUnderTest.settings(id(number), servers.endpoints(), settings));
    }

    private static void close(List<BrokerProcess> nodes, Servers servers) {
        nodes.forEach(BrokerProcess::close);
        servers.close();
    }

    /** Returns the node id of a broker. */
    static String id(int number) {
        return "rest-" + number;
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

package io.heddle.app.e2e.faults;

import io.heddle.app.e2e.RedundantServers;
import io.heddle.app.e2e.Soon;
import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.Ended;
import io.heddle.standalone.testkit.Relay;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One broker of the cluster through all its runs, and the relay through which the others link to it. The test thread starts and ends it;
 * any thread may ask for the port.
 */
final class BrokerNode implements AutoCloseable {
    static final int NODE_IS_OVER = 75;
    private static final Duration UP_WITHIN = Duration.ofMinutes(5);
    private static final Duration ENDS_WITHIN = Duration.ofMinutes(1);
    private static final Pattern LINK_PORT = Pattern.compile("Listening for links of other nodes: .*port=([0-9]+)");

    private final String id;
    private final RedundantServers servers;
    private final String[] settings;
    private final RoadToKafka kafka;
    private final Relay links = Relay.open();
    private volatile BrokerProcess process;
    private volatile int port;

    BrokerNode(String id, RedundantServers servers, RoadToKafka kafka, String... settings) throws Exception {
        this.id = id;
        this.servers = servers;
        this.kafka = kafka;
        this.settings = settings.clone();
        this.process = launch();
    }

    private BrokerProcess launch() throws Exception {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("--heddle.kafka.bootstrap-servers=" + kafka.bootstrapServers());
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

    /** The relay in front of the port for links: what it stops, the others cannot send to this broker. */
    Relay links() {
        return links;
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

    /** Returns when the broker serves or stands by, and the others reach it. */
    void awaitUp() {
        Soon.until(UP_WITHIN, () -> {
            if (!process.isAlive()) {
                throw new AssertionError(id + " has ended:\n" + process.output() + process.errors());
            }
            return process.isUp();
        });
        Matcher line = LINK_PORT.matcher(process.output() + process.errors());
        if (!line.find()) {
            throw new AssertionError(id + " does not say where it listens for links:\n" + process.output());
        }
        links.forwardTo(Integer.parseInt(line.group(1)));
    }

    /** Returns how often this run of the broker has declared another one dead. */
    long declarationsOf(String nodeId) {
        return (process.output() + process.errors())
                .lines()
                .filter(line -> line.contains("Declaring a node dead") && line.contains("nodeId=" + nodeId + ","))
                .count();
    }

    Ended awaitEnd() throws InterruptedException {
        return process.awaitEnd(ENDS_WITHIN);
    }

    /** Starts the broker again after its end. */
    void restart() throws Exception {
        port = 0;
        servers.retire(process);
        process = launch();
    }

    @Override
    public void close() throws IOException {
        links.close();
        kafka.close();
    }
}

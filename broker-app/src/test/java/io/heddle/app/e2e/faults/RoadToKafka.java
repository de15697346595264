package io.heddle.app.e2e.faults;

import io.heddle.standalone.testkit.Relay;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Relays between one broker and the Kafka nodes, which advertise {@value #HOST}. The broker resolves this name to a loopback address of its
 * own, on which the relays have the ports of the nodes. Other processes resolve it to the nodes themselves. One test thread.
 */
final class RoadToKafka implements AutoCloseable {
    /** The name that the Kafka nodes advertise. */
    static final String HOST = "localhost";

    private static final int FIRST_ADDRESS = 100;

    private final Path hosts;
    private final List<Integer> ports;
    private final List<Relay> relays = new ArrayList<>();

    private RoadToKafka(Path hosts, List<Integer> ports) {
        this.hosts = hosts;
        this.ports = List.copyOf(ports);
    }

    /**
     * Opens the relays.
     *
     * @param broker number of the broker
     * @param ports of the Kafka nodes
     */
    static RoadToKafka open(Path directory, int broker, List<Integer> ports) throws IOException {
        String address = "127.0.0." + (FIRST_ADDRESS + broker);
        Path hosts = Files.writeString(directory.resolve("hosts-" + broker), address + " " + HOST + "\n");
        RoadToKafka road = new RoadToKafka(hosts, ports);
        for (int port : ports) {
            Relay relay = Relay.open(InetAddress.getByName(address), port);
            relay.forwardTo(port);
            road.relays.add(relay);
        }
        return road;
    }

    /** Returns the setting of the broker. */
    String bootstrapServers() {
        return ports.stream().map(port -> HOST + ":" + port).collect(Collectors.joining(","));
    }

    /** Returns the option of the broker's JVM. */
    String jvmOption() {
        return "-Djdk.net.hosts.file=" + hosts;
    }

    /** The relays, one for each Kafka node. */
    List<Relay> relays() {
        return relays;
    }

    @Override
    public void close() throws IOException {
        for (Relay relay : relays) {
            relay.close();
        }
    }
}

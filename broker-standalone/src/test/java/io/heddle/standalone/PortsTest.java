package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.standalone.directory.StandaloneException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {
    @TempDir
    Path directory;

    @Test
    void freePortIsReused() throws IOException {
        int port = choose();

        assertThat(port).isBetween(15_000, 22_499);
        assertThat(choose()).isEqualTo(port);
    }

    @Test
    void newPortsAreInTheNamedRange() throws IOException {
        System.setProperty(Ports.RANGE, "11000-11001");
        try {
            assertThat(choose()).isBetween(11_000, 11_001);
        } finally {
            System.clearProperty(Ports.RANGE);
        }
    }

    @Test
    void occupiedPortIsReplacedAndTheNewOneStored() throws IOException {
        int port = choose();
        int another;
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            another = choose();
            assertThat(another).isNotEqualTo(taken.getLocalPort());
        }
        assertThat(choose()).isEqualTo(another);
    }

    @Test
    void clusterNodeAlsoNeedsThePortOfItsBus() throws IOException {
        Ports first = load();
        int port = first.portWithClusterBus("redis.0");
        first.save();
        try (ServerSocket taken = new ServerSocket(port + 10_000, 1, InetAddress.getLoopbackAddress())) {
            assertThat(taken.isBound()).isTrue();
            assertThat(load().port("redis.0")).isEqualTo(port);
            assertThat(load().portWithClusterBus("redis.0")).isNotEqualTo(port);
        }
    }

    @Test
    void twoNamesNeverShareAPort() throws IOException {
        Ports ports = Ports.load(directory.resolve("ports"), new Duplicates());
        assertThat(ports.port("one")).isNotEqualTo(ports.port("two"));
    }

    @Test
    void numberOfNodesIsFixedAtTheFirstStart() throws IOException {
        Ports ports = load();
        ports.requireNodes(Server.KAFKA, 3);
        ports.save();

        load().requireNodes(Server.KAFKA, 3);
        assertThatThrownBy(() -> load().requireNodes(Server.KAFKA, 1))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContaining("created with 3 Kafka node(s), not 1")
                .hasMessageContaining("--data-dir");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka.0=abc", "kafka.0=99999", "kafka.0=-1", "kafka.0=", "kafka.0=\\u00zz"})
    void damagedFileIsNamedWithTheRemedy(String line) throws IOException {
        Path file = Files.writeString(directory.resolve("ports"), line + "\n");

        assertThatThrownBy(this::choose)
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("The file " + file + " is damaged", "delete it", "new ports are chosen");
        assertThat(file).hasContent(line);
    }

    @Test
    void invalidNumberOfNodesIsDamage() throws IOException {
        Files.writeString(directory.resolve("ports"), "kafka.nodes=x\n");

        assertThatThrownBy(() -> load().requireNodes(Server.KAFKA, 1))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("kafka.nodes is not a number from 1", "delete it");
    }

    @Test
    void portTooHighForTheClusterBusIsReplaced() throws IOException {
        Files.writeString(directory.resolve("ports"), "redis.0=60000\n");

        assertThat(load().portWithClusterBus("redis.0")).isBetween(15_000, 22_499);
    }

    private int choose() throws IOException {
        Ports ports = load();
        int port = ports.port("kafka.0");
        ports.save();
        return port;
    }

    private Ports load() throws IOException {
        return Ports.load(directory.resolve("ports"), new Random());
    }

    /** Returns each number twice, so that the first candidate for the second name is the port of the first name. */
    private static final class Duplicates implements RandomGenerator {
        private final Random random = new Random();
        private boolean repeat;
        private long last;

        @Override
        public long nextLong() {
            if (!repeat) {
                last = random.nextLong();
            }
            repeat = !repeat;
            return last;
        }
    }
}

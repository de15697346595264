package io.heddle.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.standalone.Server;
import java.io.IOException;
import java.io.Reader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Processes and ports of this machine, from {@code /proc}. */
final class ProcessTable {
    /** Guards kill children after six seconds; the rest is for a busy machine. */
    private static final Duration GONE_WITHIN = Duration.ofSeconds(60);

    /** A process. {@code words} is its command line. */
    record Entry(long pid, List<String> words) {
        boolean runs(Server server) {
            return switch (server) {
                case KAFKA -> words.contains("-Dheddle.child=kafka");
                case REDIS -> program().equals("redis-server");
                case POSTGRESQL -> program().equals("postgres");
            };
        }

        /** Redis appends its address to its name, as one word. */
        private String program() {
            String path = words.getFirst().split(" ", 2)[0];
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    private ProcessTable() {}

    private static Optional<Entry> entry(long pid) {
        try {
            String commandLine = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
            return commandLine.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Entry(pid, List.of(commandLine.split("\0", -1))));
        } catch (IOException endedMeanwhile) {
            return Optional.empty();
        }
    }

    /** Returns the other processes with the directory on their command lines. */
    static List<Entry> naming(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .flatMap(process -> entry(process.pid()).stream())
                .filter(entry -> entry.words().stream().anyMatch(word -> word.contains(directory.toString())))
                .toList();
    }

    /** Returns the broker's child process of this server; empty if there is none. */
    static Optional<Entry> child(BrokerProcess broker, Server server) {
        return ProcessHandle.of(broker.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .flatMap(process -> entry(process.pid()).stream())
                .filter(entry -> entry.runs(server))
                .findFirst();
    }

    static void assertNothingRunsOn(Path directory) {
        await().atMost(GONE_WITHIN)
                .untilAsserted(() -> assertThat(naming(directory)).isEmpty());
    }

    /** Returns the ports of the servers, which a data directory keeps through restarts. */
    static List<Integer> serverPorts(Path dataDirectory) throws IOException {
        Properties remembered = new Properties();
        try (Reader reader = Files.newBufferedReader(dataDirectory.resolve("ports.properties"))) {
            remembered.load(reader);
        }
        List<Integer> ports = new ArrayList<>();
        for (String name : remembered.stringPropertyNames()) {
            if (!name.endsWith(".nodes")) {
                ports.add(Integer.valueOf(remembered.getProperty(name)));
            }
        }
        return ports;
    }

    static void assertClosed(int port) {
        assertThatThrownBy(() -> {
                    try (Socket socket = new Socket()) {
                        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 60_000);
                    }
                })
                .as("port %d", port)
                .isInstanceOf(ConnectException.class);
    }
}

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

/** The processes and ports of this machine, as the system shows them in {@code /proc}. */
final class ProcessTable {
    /** Guards give children six seconds to end; then they kill. The rest is for a busy machine. */
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

        /** Redis writes its address behind its name, as one word. */
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

    /** The processes with the directory on their command line, without the process that asks. */
    static List<Entry> naming(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .flatMap(process -> entry(process.pid()).stream())
                .filter(entry -> entry.words().stream().anyMatch(word -> word.contains(directory.toString())))
                .toList();
    }

    /** The child of that broker which is the server; empty while there is none. */
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

    /** The ports that the servers of a data directory use in every life. */
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

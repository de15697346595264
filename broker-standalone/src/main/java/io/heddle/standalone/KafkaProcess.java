package io.heddle.standalone;

import io.heddle.standalone.directory.DataDirectory;
import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.process.GuardedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One Kafka node, both broker and controller, in a JVM of its own. */
final class KafkaProcess implements ServerNode {
    /**
     * Longer than a machine pauses a process. When the session of the only node ends, its partitions have no leader for a moment, in which Kafka loses
     * markers of transactions (KAFKA-20734). A start after {@code kill -9} does not wait for it.
     */
    private static final int ONLY_NODE_SESSION_MILLIS = 18_000;

    /** Several nodes: the others lead the partitions of a killed one when its session ends, and it waits for that, too. */
    private static final int TESTS_SESSION_MILLIS = 1_500;

    /** Names further options of Kafka's JVM, separated by spaces. Tests disable a compiler that does not pay off in seconds. */
    static final String OPTIONS = "heddle.standalone.kafka-options";

    /** Kafka's default. */
    private static final int DEFAULT_SESSION_MILLIS = 9_000;

    /** Relative to the working directory: a comma in the absolute path would separate two directories. */
    private static final String FILES = "data";

    /**
     * The ports of one node.
     *
     * @param broker the port for clients
     * @param advertised host and port that the node advertises to clients; others than its own only if a relay is in between
     * @param internal the port for the other nodes and the node itself
     * @param controller the port for the controller quorum
     */
    record Listeners(int broker, String advertised, int internal, int controller) {}

    private final int index;
    private final List<Listeners> nodes;
    private final String clusterId;
    private final String password;
    private final String classPath;
    private final List<String> startCacheOptions;
    private final DataDirectory data;
    private final Tuning tuning;

    /** @param nodes the listeners of all nodes, this node's at {@code index} */
    KafkaProcess(
            int index,
            List<Listeners> nodes,
            String clusterId,
            String password,
            StandaloneHome home,
            DataDirectory data,
            Tuning tuning) {
        this.index = index;
        this.nodes = List.copyOf(nodes);
        this.clusterId = clusterId;
        this.password = password;
        this.classPath = home.kafkaClassPath();
        this.startCacheOptions = home.kafkaStartCacheOptions();
        this.data = data;
        this.tuning = tuning;
    }

    @Override
    public Server server() {
        return Server.KAFKA;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public GuardedProcess.Launch prepare() throws IOException {
        Path directory = data.directory("kafka", Integer.toString(index));
        Path settings = directory.resolve("server.properties");
        data.directory("kafka", Integer.toString(index), FILES);
        PrivateFiles.write(settings, settings());

        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Dheddle.child=kafka");
        switch (tuning) {
            // An idle Kafka keeps a small heap. 5,000 topics take 170 MB of it, and a request at most 16 MB.
            case SERVING -> command.addAll(List.of("-Xms32m", "-Xmx512m"));
            case TESTS, OUTAGE_TESTS -> command.addAll(List.of("-Xms64m", "-Xmx256m", "-XX:TieredStopAtLevel=1"));
        }
        command.addAll(List.of(
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.awt.headless=true",
                "-Dlog4j2.StatusLogger.level=OFF",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                // Both log warnings with stack traces for failing clients and for every stop.
                "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.common.network.Selector=error",
                "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.clients.NetworkClient=error",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss.SSS"));
        command.addAll(startCacheOptions);
        command.addAll(furtherOptions());
        command.addAll(
                List.of("-cp", classPath, "io.heddle.standalone.kafka.KafkaChild", settings.toString(), clusterId));
        // Options for the broker's own JVM, such as a debugger's port, do not apply to this JVM.
        Map<String, String> environment = Map.of("JDK_JAVA_OPTIONS", "", "JAVA_TOOL_OPTIONS", "", "CLASSPATH", "");
        return new GuardedProcess.Launch(name(), command, directory, environment, "TERM");
    }

    private static List<String> furtherOptions() {
        return Stream.of(System.getProperty(OPTIONS, "").split(" ", -1))
                .filter(option -> !option.isEmpty())
                .toList();
    }

    private String settings() {
        return serverSettings() + KafkaAccount.nodeSettings(password);
    }

    private String serverSettings() {
        int replicas = Math.min(3, nodes.size());
        int inSync = nodes.size() >= 3 ? 2 : 1;
        Listeners own = nodes.get(index);
        String voters = IntStream.range(0, nodes.size())
                .mapToObj(node -> node + "@127.0.0.1:" + nodes.get(node).controller())
                .collect(Collectors.joining(","));
        return """
                # Generated by Heddle at each start.
                process.roles=broker,controller
                node.id=%d
                controller.quorum.voters=%s
                listeners=CLIENT://127.0.0.1:%d,INTERNAL://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
                advertised.listeners=CLIENT://%s,INTERNAL://127.0.0.1:%d
                controller.listener.names=CONTROLLER
                inter.broker.listener.name=INTERNAL
                log.dirs=%s
                auto.create.topics.enable=false
                default.replication.factor=%d
                min.insync.replicas=%d
                offsets.topic.replication.factor=%d
                offsets.topic.num.partitions=4
                transaction.state.log.replication.factor=%d
                transaction.state.log.min.isr=%d
                transaction.state.log.num.partitions=4
                share.coordinator.state.topic.replication.factor=%d
                share.coordinator.state.topic.min.isr=%d
                group.initial.rebalance.delay.ms=0
                controlled.shutdown.enable=true
                broker.heartbeat.interval.ms=200
                broker.session.timeout.ms=%d
                controller.quorum.election.timeout.ms=200
                controller.quorum.election.backoff.max.ms=100
                # Frees the space of deleted records within seconds; the default is six minutes.
                log.retention.check.interval.ms=5000
                log.segment.delete.delay.ms=1000
                # The default allocates 128 MiB of heap. A pass over a partition holds 300,000 keys of 24 bytes in it; more take more passes.
                log.cleaner.dedupe.buffer.size=8388608
                log.cleaner.threads=1
                """.formatted(
                        index,
                        voters,
                        own.broker(),
                        own.internal(),
                        own.controller(),
                        own.advertised(),
                        own.internal(),
                        FILES,
                        replicas,
                        inSync,
                        replicas,
                        replicas,
                        inSync,
                        replicas,
                        inSync,
                        sessionMillis());
    }

    private int sessionMillis() {
        if (nodes.size() == 1) {
            return ONLY_NODE_SESSION_MILLIS;
        }
        return switch (tuning) {
            case TESTS -> TESTS_SESSION_MILLIS;
            case SERVING, OUTAGE_TESTS -> DEFAULT_SESSION_MILLIS;
        };
    }

    @Override
    public boolean isReady(Duration timeout) {
        return KafkaProbe.isRegistered(nodes.get(index).broker(), index, password, timeout);
    }
}

package io.heddle.app.e2e;

import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.standalone.StandaloneHome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** A Kafka that authorizes its clients: the user "admin" may do everything, and "heddle" what a test grants. One test thread. */
final class KafkaWithRights implements AutoCloseable {
    static final String PASSWORD = "a-password-of-a-test";

    private static final String MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule required";
    private static final Duration READY = Duration.ofMinutes(2);

    private final Process process;
    private final Thread killer;
    private final int port;

    private KafkaWithRights(Process process, int port) {
        this.process = process;
        this.port = port;
        this.killer = Thread.ofPlatform().unstarted(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
    }

    static KafkaWithRights start(Path directory) throws IOException {
        int client = freePort();
        Path settings = directory.resolve("server.properties");
        Files.writeString(settings, settings(client, freePort(), directory.resolve("data")));
        String jars;
        try (var files = Files.list(StandaloneHome.locate().directory().resolve("kafka"))) {
            jars = files.map(Path::toString).collect(Collectors.joining(":"));
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                jars,
                "io.heddle.standalone.kafka.KafkaChild",
                settings.toString(),
                Uuid.randomUuid().toString()));
        return new KafkaWithRights(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("kafka.log").toFile())
                        .start(),
                client);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String settings(int client, int controller, Path data) {
        String login = MODULE + " username=\"admin\" password=\"" + PASSWORD + "\" user_admin=\"" + PASSWORD
                + "\" user_heddle=\"" + PASSWORD + "\";";
        return """
                process.roles=broker,controller
                node.id=0
                controller.quorum.voters=0@127.0.0.1:%2$d
                listeners=CLIENT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                inter.broker.listener.name=CLIENT
                log.dirs=%3$s
                auto.create.topics.enable=false
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=1
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                log.cleaner.dedupe.buffer.size=8388608
                listener.security.protocol.map=CLIENT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT
                sasl.enabled.mechanisms=PLAIN
                sasl.mechanism.inter.broker.protocol=PLAIN
                sasl.mechanism.controller.protocol=PLAIN
                listener.name.client.plain.sasl.jaas.config=%4$s
                listener.name.controller.plain.sasl.jaas.config=%4$s
                authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
                super.users=User:admin
                """.formatted(client, controller, data, login);
    }

    String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** Returns a connection of the user "admin"; returns when Kafka is ready. */
    KafkaCluster connect(int buckets) {
        return KafkaCluster.connect(settings("admin", buckets), new SimpleMeterRegistry());
    }

    /** Opens a connection of the user "heddle", as a broker does. */
    KafkaCluster open(int buckets) {
        return KafkaCluster.open(settings("heddle", buckets), new SimpleMeterRegistry());
    }

    private KafkaSettings settings(String user, int buckets) {
        return new KafkaSettings(
                bootstrapServers(),
                READY,
                1,
                buckets,
                KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                Map.of(
                        "security.protocol",
                        "SASL_PLAINTEXT",
                        "sasl.mechanism",
                        "PLAIN",
                        "sasl.jaas.config",
                        MODULE + " username=\"" + user + "\" password=\"" + PASSWORD + "\";"));
    }

    /** Returns the rights of the user "heddle" to these operations. */
    static List<AclBinding> rights(ResourceType type, String name, PatternType pattern, AclOperation... operations) {
        return Arrays.stream(operations)
                .map(each -> new AclBinding(
                        new ResourcePattern(type, name, pattern),
                        new AccessControlEntry("User:heddle", "*", each, AclPermissionType.ALLOW)))
                .toList();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        Runtime.getRuntime().removeShutdownHook(killer);
    }
}

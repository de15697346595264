package io.heddle.standalone.kafka;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Runs one Kafka node, both broker and controller, until the process is stopped.
 *
 * <p>Arguments: the file with Kafka's settings, and the cluster id. A new log directory is formatted first.
 */
public final class KafkaChild {
    private KafkaChild() {}

    public static void main(String[] arguments) {
        try {
            run(Path.of(arguments[0]), arguments[1]);
        } catch (Exception | LinkageError e) {
            e.printStackTrace(System.err);
            // Not a normal exit: Kafka's threads could keep a half-started child alive.
            Runtime.getRuntime().halt(1);
        }
    }

    private static void run(Path settings, String clusterId) throws Exception {
        Properties properties = read(settings);
        String directory = properties.getProperty("log.dirs");
        new Formatter()
                .setPrintStream(System.err)
                .setClusterId(clusterId)
                .setNodeId(Integer.parseInt(properties.getProperty("node.id")))
                .setDirectories(List.of(directory))
                .setMetadataLogDirectory(directory)
                .setControllerListenerName(properties.getProperty("controller.listener.names"))
                .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                .setIgnoreFormatted(true)
                .run();

        KafkaNode node = new KafkaNode(new KafkaConfig(properties), Path.of(directory));
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("kafka-shutdown").unstarted(node::stop));
        node.start();
        node.awaitStop();
    }

    private static Properties read(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return properties;
    }
}

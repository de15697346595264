package io.heddle.standalone.kafka;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server$;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.controller.ControllerRequestContext;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * A controller and a broker in this process, like Kafka's own {@code KafkaRaftServer}. Between the starts of the two, the controller removes the
 * registration of a broker that was killed. Otherwise it would refuse the broker until the session of the killed one has expired, which is long so
 * that a pause of the process does not end it. Nothing else uses the log directory, so the killed broker has ended.
 */
final class KafkaNode {
    private static final Logger log = LoggerFactory.getLogger(KafkaNode.class);

    /** Kafka writes this file at the end of an orderly stop, and deletes it at the start of the broker. */
    private static final String STOPPED_IN_ORDER = ".kafka_cleanshutdown";

    private static final long ACTIVE_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_MILLIS = 20;

    private final KafkaConfig config;
    private final Path directory;
    private final boolean isOnlyNode;
    private final ControllerServer controller;
    private final BrokerServer broker;

    KafkaNode(KafkaConfig config, Path directory) {
        this.config = config;
        this.directory = directory;
        this.isOnlyNode = config.quorumConfig().voters().size() == 1;
        Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> stored =
                KafkaRaftServer.initializeLogDirs(config, log, "[node " + config.nodeId() + "] ");
        Metrics metrics = Server$.MODULE$.initializeMetrics(
                config, Time.SYSTEM, stored._1().clusterId().orElseThrow());
        SharedServer shared = new SharedServer(
                config,
                stored._1(),
                Time.SYSTEM,
                metrics,
                CompletableFuture.completedFuture(
                        QuorumConfig.parseVoterConnections(config.quorumConfig().voters())),
                QuorumConfig.parseBootstrapServers(config.quorumConfig().bootstrapServers()),
                new StandardFaultHandlerFactory(),
                ServerSocketFactory.INSTANCE);
        this.controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), stored._2());
        this.broker = new BrokerServer(shared);
    }

    /** Blocks until the broker is registered. */
    void start() throws InterruptedException {
        controller.startup();
        // With several nodes, another one may be the active controller, and a killed node is away only for a while.
        if (isOnlyNode && Files.notExists(directory.resolve(STOPPED_IN_ORDER))) {
            removeKilledBroker();
        }
        broker.startup();
    }

    /** Repeats the request until this controller is active. If it fails, the broker waits for the end of the session. */
    private void removeKilledBroker() throws InterruptedException {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < ACTIVE_WITHIN_NANOS) {
            try {
                controller
                        .controller()
                        .unregisterBroker(
                                new ControllerRequestContext(
                                        new RequestHeaderData(), KafkaPrincipal.ANONYMOUS, OptionalLong.empty()),
                                config.nodeId())
                        .get(ACTIVE_WITHIN_NANOS, TimeUnit.NANOSECONDS);
                return;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof BrokerIdNotRegisteredException) {
                    return;
                }
                log.debug("The controller is not active yet", e);
            } catch (TimeoutException e) {
                log.debug("The controller has not answered", e);
            }
            boolean _ = new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
        log.warn(
                "The registration of the killed broker was not removed; the start waits until its session has expired");
    }

    void stop() {
        // The broker first: it hands over to the controller.
        broker.shutdown();
        controller.shutdown();
    }

    void awaitStop() {
        broker.awaitShutdown();
        controller.awaitShutdown();
    }
}

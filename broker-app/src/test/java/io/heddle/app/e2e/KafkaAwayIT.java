package io.heddle.app.e2e;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.process.SupervisedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two brokers with default settings while Kafka is away for a minute, or while one of three Kafka nodes is lost: no broker
 * is declared dead, no connection is closed, and no message is lost or repeated.
 */
@OwnProcesses(because = "the time limits of brokers with all their defaults are under test")
@Tag("outage")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class KafkaAwayIT {
    private static final Logger log = LoggerFactory.getLogger(KafkaAwayIT.class);
    private static final Duration OUTAGE = Duration.ofSeconds(60);
    private static final int PER_SECOND = 50;
    private static final int MESSAGES = 200;
    private static final String WILLS = "will";

    @TempDir
    Path directory;

    private RedundantServers servers;
    private BrokerProcess serving;
    private SteadyLoad load;

    @BeforeEach
    void start() throws Exception {
        servers = RedundantServers.start(directory);
        serving = servers.broker("away-1").awaitReady();
        servers.broker("away-2").awaitReady();
        load = SteadyLoad.begin(PER_SECOND, serving::mqttPort);
        load.connectClientsWithWills(WILLS);
        load.awaitAcknowledged(MESSAGES);
    }

    @AfterEach
    void stop() {
        try {
            if (load != null) {
                load.close();
            }
        } finally {
            servers.close();
        }
    }

    /** The outage begins and ends under load. */
    private void assertNothingHappened(String outage) throws Exception {
        load.awaitAcknowledged(MESSAGES);
        log.info("Longest pauses of the publishers: {}, {}", outage, load.longestPauses());
        load.assertNoConnectionLost();
        servers.assertNoBrokerDeclaredDead();
        load.finish();
        load.assertNoConnectionLost();
    }

    private static void elapse(Duration time) {
        long began = System.nanoTime();
        Soon.until(time.multipliedBy(2), () -> System.nanoTime() - began >= time.toNanos());
    }

    @Test
    void allKafkaNodesAreFrozen() throws Exception {
        List<SupervisedProcess> kafka = servers.kafka();
        kafka.forEach(SupervisedProcess::pause);
        try {
            elapse(OUTAGE);
        } finally {
            kafka.forEach(SupervisedProcess::resume);
        }
        assertNothingHappened("all Kafka nodes frozen for " + OUTAGE);
    }

    @Test
    void allKafkaNodesAreKilledAndStartedAgain() throws Exception {
        List<SupervisedProcess> kafka = servers.kafka();
        kafka.forEach(SupervisedProcess::crash);
        elapse(OUTAGE);
        kafka.forEach(SupervisedProcess::start);
        servers.awaitInSync();
        assertNothingHappened("all Kafka nodes killed for " + OUTAGE);
    }

    /** All partitions change their leaders, that of {@code heddle.nodes} first. */
    @Test
    void eachKafkaNodeIsKilledInTurn() throws Exception {
        int first = servers.leaderOfNodes();
        List<SupervisedProcess> kafka = servers.kafka();
        for (int i = 0; i < kafka.size(); i++) {
            SupervisedProcess killed = kafka.get((first + i) % kafka.size());
            killed.crash();
            load.awaitAcknowledged(MESSAGES);
            log.info("Longest pauses after the kill of {}: {}", killed.name(), load.longestPauses());
            killed.start();
            servers.awaitInSync();
        }
        assertNothingHappened("each Kafka node killed in turn");
    }

    /** Kafka replaces a silent node after nine seconds. */
    @ParameterizedTest
    @ValueSource(ints = {8, 20})
    void theLeaderOfTheLogOfNodesIsFrozen(int seconds) throws Exception {
        SupervisedProcess leader = servers.kafka().get(servers.leaderOfNodes());
        leader.pause();
        try {
            elapse(Duration.ofSeconds(seconds));
        } finally {
            leader.resume();
        }
        servers.awaitInSync();
        assertNothingHappened("the leader of heddle.nodes frozen for " + seconds + " s");
    }
}

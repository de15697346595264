package io.heddle.app.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.OwnProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults at random while clients on all brokers publish, subscribe, move and leave: {@code heddle.test.faults} faults that follow from
 * {@code heddle.test.seed}. {@code .ci/run} makes 12 of different kinds, the profile {@code faults} 200.
 */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("ci")
@Tag("alone")
@Tag("faults")
@Timeout(value = 4, unit = TimeUnit.HOURS)
final class ClusterFaultsIT {
    private static final Logger log = LoggerFactory.getLogger(ClusterFaultsIT.class);
    private static final int FAULTS = Integer.getInteger("heddle.test.faults", 12);
    /** 0 for a random seed. */
    private static final long CHOSEN_SEED = Long.getLong("heddle.test.seed", 3_122);

    private static final long SEED = CHOSEN_SEED == 0 ? new Random().nextInt(1_000_000) : CHOSEN_SEED;
    private static final Duration LEASE = Duration.ofMillis(Long.getLong("test.lease", 3_000));
    /** Longer than a client needs to notice that its connection was lost. */
    private static final Duration EARLY_WILL = Duration.ofSeconds(10);

    private final FaultHistory history = new FaultHistory();

    @TempDir
    private Path directory;

    @Test
    void nothingAcknowledgedIsLost() throws Exception {
        log.info("{} faults with -Dheddle.test.seed={}", FAULTS, SEED);
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory, LEASE);
                ClientLoad load = ClientLoad.begin(cluster::ports, SEED, LEASE)) {
            run(cluster, load);
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "\n\nReplay with -Dheddle.test.seed=" + SEED + " -Dheddle.test.faults=" + FAULTS
                            + "; the faults were:\n" + history,
                    e);
        }
    }

    private void run(ClusterUnderTest cluster, ClientLoad load) throws Exception {
        StateOfAllNodes state = new StateOfAllNodes(load, cluster);
        FaultSequence faults = new FaultSequence(SEED);
        load.awaitService();
        long settled = 0;
        for (int i = 0; i < FAULTS; i++) {
            Fault fault = faults.next();
            long began = load.ask(load.ledger()::now);
            history.begin(fault);
            load.measure();
            String what = cluster.happen(fault, load::awaitService);
            load.awaitService();
            history.add(fault, what, load.withoutService());
            cluster.assertAllRun();
            load.awaitDelivered(settled);
            state.assertEqual();
            settled = began;
            assertNoReports(load);
        }
        load.stopPublishing();
        load.awaitDelivered(Ledger.NEVER - 1);
        state.assertEqual();
        assertNoReports(load);
        log.info("{}; {}", load.ask(load.ledger()::totals), load.refusals());
        log.info("Seed {}:\n{}", SEED, history.summary());
    }

    private static void assertNoReports(ClientLoad load) throws Exception {
        List<String> reports = load.ask(() -> {
            load.ledger().reportEarlyWills(System.nanoTime() - EARLY_WILL.toNanos());
            return load.ledger().reports();
        });
        assertThat(reports).as("forbidden deliveries").isEmpty();
    }
}

package io.heddle.app.e2e;

import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers that all serve are restarted one after the other while clients of all of them publish and receive. The test has its own
 * servers. It logs how long the clients were without a connection or an answer, and how long the buckets were without a holder.
 */
@OwnProcesses(because = "a signal stops a process")
@Tag("outage")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class RollingRestartIT {
    private static final Duration READY = Duration.ofMinutes(2);
    private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(5);
    private static final int NODES = 3;
    private static final int LOADS = 4;
    private static final int PER_SECOND = 50;
    private static final int MESSAGES = 200;

    @Test
    void aRollingRestartLosesNothingAndAllClientsComeBack(@TempDir Path directory) throws Exception {
        try (Servers servers =
                Servers.builder(directory).tuning(Tuning.OUTAGE_TESTS).start()) {
            servers.awaitReady(READY);
            List<SteadyLoad> loads = new ArrayList<>();
            try (ServingNodes nodes = ServingNodes.start(servers.endpoints(), NODES, "")) {
                for (int i = 0; i < LOADS; i++) {
                    loads.add(SteadyLoad.begin(PER_SECOND, nodes::nextPort));
                }
                loads.forEach(load -> load.awaitAcknowledged(MESSAGES));

                for (int i = 0; i < NODES; i++) {
                    nodes.restart(i);
                    loads.forEach(load -> load.awaitAcknowledged(MESSAGES));
                }

                SteadyLoad.finishAll(loads, LONGEST_ABSENCE);
            } finally {
                loads.forEach(SteadyLoad::close);
            }
        }
    }
}

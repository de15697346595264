package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two or three brokers with default settings on redundant servers, of which the one with the clients is killed under load until one is left. */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("outage")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class KilledBrokersIT {
    private static final Logger log = LoggerFactory.getLogger(KilledBrokersIT.class);
    private static final Duration SERVES_WITHIN = Duration.ofSeconds(5);
    private static final int PER_SECOND = 300;
    private static final int MESSAGES = 500;

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void theNextBrokerServesWithinSecondsAndNothingIsLostOrRepeated(int count, @TempDir Path directory)
            throws Exception {
        try (RedundantServers servers = RedundantServers.start(directory)) {
            AtomicReference<BrokerProcess> serving =
                    new AtomicReference<>(servers.broker("killed-1").awaitReady());
            List<BrokerProcess> waiting = new ArrayList<>();
            for (int i = 2; i <= count; i++) {
                waiting.add(servers.broker("killed-" + i).awaitReady());
            }
            try (SteadyLoad load =
                    SteadyLoad.begin(PER_SECOND, () -> serving.get().mqttPort())) {
                List<Duration> outages = new ArrayList<>();
                for (BrokerProcess next : waiting) {
                    String wills = "will-" + waiting.indexOf(next);
                    load.connectClientsWithWills(wills);
                    load.awaitAcknowledged(MESSAGES);

                    long killed = System.nanoTime();
                    serving.get().kill();
                    serving.set(next);

                    outages.add(load.untilConnAck(killed));
                    load.expectWills(wills);
                }
                load.awaitAcknowledged(MESSAGES);
                log.info("CONNACK of the next of {} brokers after kill -9: {}", count, outages);
                load.finish();
                assertThat(outages).allSatisfy(outage -> assertThat(outage).isLessThan(SERVES_WITHIN));
            }
        }
    }
}

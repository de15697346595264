package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.OwnProcesses;
import io.heddle.core.testkit.Conformance;
import io.heddle.standalone.testkit.TestServers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Wills of persistent sessions when the broker is killed or stopped while their clients are connected or away. All cases go through
 * one kill and one ordinary stop, because a start costs seconds.
 */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class WillRestartIT {
    /** Long enough for a client to reconnect in time on a busy machine. */
    private static final int DELAY_SECONDS = 8;

    /** Long enough to cover a stop and a start of the broker, during which the delay elapses. */
    private static final int DELAY_THROUGH_A_START_SECONDS = 300;

    private static final int OTHERS = 24;

    @AutoClose
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private KillableBroker broker;

    @BeforeAll
    void start() throws Exception {
        broker = KillableBroker.startOn(TestServers.shared());
    }

    /** Returns when earlier session changes are durable: new sessions are answered when they are durable, and there are four partitions. */
    private void letTheLogCatchUp() {
        for (int i = 0; i < OTHERS; i++) {
            broker.open(broker.persistentClient()).leave();
        }
    }

    private void assertWillsOutliveTheProcess(String topic, int delayOfOneThatIsBack, Restart restart)
            throws Exception {
        PersistentSubscriber subscriber = new PersistentSubscriber(broker, broker.persistentClient());
        subscriber.subscribe(topic, 1).leave();
        RawConnect atOnce = broker.persistentClient().will(topic, "at once", 0);
        RawConnect delayed = broker.persistentClient().will(topic, "delayed", DELAY_SECONDS);
        RawConnect away = broker.persistentClient().will(topic, "away", DELAY_SECONDS);
        RawConnect back = broker.persistentClient().will(topic, "back", delayOfOneThatIsBack);
        RawConnect gone = broker.persistentClient().will(topic, "gone politely", 0);
        RawConnect goneDelayed = broker.persistentClient().will(topic, "gone politely with a delay", 1);
        RawClient[] connected = {broker.open(atOnce), broker.open(delayed), broker.open(back)};
        broker.open(away).cut();
        broker.open(gone).leave();
        broker.open(goneDelayed).leave();
        letTheLogCatchUp();

        restart.run();

        try (RawClient again = broker.open(back)) {
            assertThat(again.sessionPresent()).isTrue();
            long returned = System.nanoTime();
            List<String> published = new ArrayList<>();
            Soon.until(() -> {
                published.addAll(subscriber.takeAll());
                return published.size() >= 3;
            });
            assertThat(published).containsExactlyInAnyOrder("at once", "delayed", "away");
            // The delays of "delayed" and of "back" began together, so the broker would publish both together.
            Soon.until(() -> System.nanoTime() - returned > TimeUnit.SECONDS.toNanos(DELAY_SECONDS + 1));
            assertThat(subscriber.takeAll()).isEmpty();
            again.leave();
        }
        for (RawClient client : connected) {
            client.close();
        }
    }

    /** Ends the broker and starts it again. */
    @FunctionalInterface
    private interface Restart {
        void run() throws Exception;
    }

    @Conformance({"MQTT-3.1.2-7", "MQTT-3.1.2-8"})
    @Test
    void willsArePublishedAfterTheBrokerWasKilled() throws Exception {
        assertWillsOutliveTheProcess("wills/restart/killed", DELAY_SECONDS, () -> {
            broker.kill();
            broker.restart();
        });
    }

    @Test
    void willsArePublishedAfterTheBrokerWasStopped() throws Exception {
        assertWillsOutliveTheProcess("wills/restart/stopped", DELAY_THROUGH_A_START_SECONDS, () -> {
            broker.stop();
            broker.restart();
        });
    }
}

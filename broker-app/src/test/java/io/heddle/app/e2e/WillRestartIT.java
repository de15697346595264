package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.standalone.testkit.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Wills of persistent sessions when the broker is killed or stopped while their clients are connected or away. All cases go through
 * one kill and one ordinary stop, because a start costs seconds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WillRestartIT {
    /** Long enough for a client to come back before on a busy machine. */
    private static final int DELAY_SECONDS = 8;

    /** The delay of a client that a stop has cut off goes on while the broker stops and starts. */
    private static final int DELAY_THROUGH_A_START_SECONDS = 300;

    private static final int OTHERS = 24;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private KillableBroker broker;

    @BeforeAll
    void start() throws Exception {
        broker = KillableBroker.startOn(TestServers.shared(), "--heddle.authentication.anonymous.enabled=true");
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    /** What the broker was told before is in Kafka afterwards: sessions that begin wait until they are, and there are four partitions. */
    private void letTheLogCatchUp() {
        for (int i = 0; i < OTHERS; i++) {
            broker.open(broker.persistentClient()).leave();
        }
    }

    private static String end(RawConnect subscriber) {
        return "wills/restart/end/" + subscriber.clientId();
    }

    /** Takes what is in the subscriber's queue and comes before this, acknowledged. */
    private List<String> taken(RawConnect subscriber) {
        List<String> payloads = new ArrayList<>();
        broker.publish(end(subscriber), "end");
        RawClient subscribed = broker.open(subscriber);
        assertThat(subscribed.sessionPresent()).isTrue();
        String payload = "";
        while (!payload.equals("end")) {
            payload = subscribed.take(1).getFirst().payload();
            payloads.add(payload);
        }
        payloads.removeLast();
        subscribed.leave();
        return payloads;
    }

    private void willsOutliveTheProcess(String topic, int delayOfOneThatIsBack, Restart restart) throws Exception {
        RawConnect subscriber = broker.persistentClient();
        broker.open(subscriber)
                .subscribe(topic, 1)
                .subscribe(end(subscriber), 1)
                .leave();
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
            List<String> published = new ArrayList<>();
            Soon.until(() -> {
                published.addAll(taken(subscriber));
                return published.size() >= 3;
            });
            assertThat(published).containsExactlyInAnyOrder("at once", "delayed", "away");
            long returned = System.nanoTime();
            Soon.until(() ->
                    Duration.ofNanos(System.nanoTime() - returned).compareTo(Duration.ofSeconds(DELAY_SECONDS)) > 0);
            assertThat(taken(subscriber)).isEmpty();
            again.leave();
        }
        for (RawClient client : connected) {
            client.close();
        }
    }

    /** How the broker is gone and there again. */
    @FunctionalInterface
    private interface Restart {
        void run() throws Exception;
    }

    @Test
    void aKilledBrokerPublishesThemWhenItServesAgain() throws Exception {
        willsOutliveTheProcess("wills/restart/killed", DELAY_SECONDS, () -> {
            broker.kill();
            broker.restart();
        });
    }

    @Test
    void soDoesOneThatWasStopped() throws Exception {
        willsOutliveTheProcess("wills/restart/stopped", DELAY_THROUGH_A_START_SECONDS, () -> {
            broker.stop();
            broker.restart();
        });
    }
}

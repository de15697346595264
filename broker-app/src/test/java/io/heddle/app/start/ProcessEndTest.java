package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ProcessEndTest {
    private static final int ROUNDS = 2_000;

    private static final int STOPPED_START = -1;

    private final BlockingQueue<Integer> exits = new LinkedBlockingQueue<>();
    private final ProcessEnd end = new ProcessEnd(() -> exits.add(STOPPED_START), exits::add);

    @Test
    void aRequestBeforeTheBrokerRunsStopsAndFailsTheStart() throws Exception {
        end.request("the reason", 75);

        assertThatThrownBy(end::onRunning).isInstanceOf(StartupException.class).hasMessage("the reason");
        assertThat(end.reason()).isEqualTo("the reason");
        assertThat(end.status()).isEqualTo(75);
        assertThat(exits.poll(1, TimeUnit.MINUTES)).isEqualTo(STOPPED_START);
        assertThat(exits).isEmpty();
    }

    @Test
    void aRequestWhileTheBrokerRunsExits() throws Exception {
        end.onRunning();

        end.request("the reason", 75);

        assertThat(exits.poll(1, TimeUnit.MINUTES)).isEqualTo(75);
    }

    @Test
    void leavingExitsWithoutAFailure() throws Exception {
        end.onRunning();

        end.leave();

        assertThat(exits.poll(1, TimeUnit.MINUTES)).isZero();
        assertThat(end.reason()).isNull();
    }

    @Test
    void theFirstRequestCounts() throws Exception {
        end.onRunning();

        end.request("the first", 75);
        end.request("the second", 1);

        assertThat(end.reason()).isEqualTo("the first");
        assertThat(end.status()).isEqualTo(75);
        assertThat(exits.poll(1, TimeUnit.MINUTES)).isEqualTo(75);
    }

    @Test
    void theStatusOfAFailedStartIsOneWithoutARequest() {
        assertThat(end.reason()).isNull();
        assertThat(end.status()).isEqualTo(1);
    }

    @Test
    void noRequestIsLostBetweenTheStartAndTheService() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            BlockingQueue<Integer> ended = new LinkedBlockingQueue<>();
            ProcessEnd racing = new ProcessEnd(() -> {}, ended::add);
            Thread requests = Thread.ofPlatform().start(() -> racing.request("the reason", 75));
            boolean started = true;
            try {
                racing.onRunning();
            } catch (StartupException failed) {
                started = false;
                assertThat(failed).hasMessage("the reason");
            }
            requests.join();
            if (started) {
                assertThat(ended.poll(1, TimeUnit.MINUTES)).isEqualTo(75);
            }
        }
    }
}

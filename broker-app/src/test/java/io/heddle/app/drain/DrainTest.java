package io.heddle.app.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class DrainTest {
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final List<String> events = new ArrayList<>();
    private long nanos = 42;
    private int open;
    private @Nullable String otherServer;
    private BooleanSupplier doOthersServe = () -> true;
    private BooleanSupplier isHandedOver = () -> true;

    private Drain drain(int rate, String delay, String limit, String reference) {
        DrainSettings settings =
                new DrainSettings(rate, Duration.parse("PT" + delay), Duration.parse("PT" + limit), reference);
        return new Drain(
                settings, new Peers(), new Connections(), () -> nanos, time -> nanos += time.toNanos(), metrics);
    }

    private final class Peers implements Drain.Cluster {
        @Override
        public boolean doOthersServe() {
            return doOthersServe.getAsBoolean();
        }

        @Override
        public boolean isHandedOver() {
            return isHandedOver.getAsBoolean();
        }

        @Override
        public Supplier<@Nullable String> otherServers() {
            return () -> otherServer;
        }

        @Override
        public void announce(Duration atMost) {
            log("announced");
        }
    }

    private final class Connections implements Drain.Clients {
        @Override
        public IntUnaryOperator stopListening(Supplier<@Nullable String> serverReference) {
            log("refuses, reference " + serverReference.get());
            return atMost -> {
                int closed = Math.min(atMost, open);
                open -= closed;
                log("closed " + closed);
                return closed;
            };
        }
    }

    private void log(String event) {
        events.add((nanos - 42) / 1_000_000 + " ms: " + event);
    }

    @Test
    void connectionsAreClosedAtTheRateAfterTheNodeHasSaidThatItDrains() {
        open = 250;

        drain(1_000, "0S", "300S", "").run();

        assertThat(events)
                .containsExactly(
                        "0 ms: announced",
                        "0 ms: refuses, reference null",
                        "0 ms: closed 100",
                        "100 ms: closed 100",
                        "200 ms: closed 50",
                        "300 ms: closed 0");
        assertThat(metrics.counter("heddle.drain.closed").count()).isEqualTo(250);
    }

    @Test
    void aRateBelowTenPerSecondIsKept() {
        open = 2;

        drain(2, "0S", "300S", "b.example:1883").run();

        assertThat(events)
                .containsExactly(
                        "0 ms: announced",
                        "0 ms: refuses, reference b.example:1883",
                        "0 ms: closed 1",
                        "500 ms: closed 1",
                        "1000 ms: closed 0");
    }

    @Test
    void loadBalancersHaveTheDelayToNotice() {
        open = 1;

        drain(1_000, "5S", "300S", "").run();

        assertThat(events.subList(0, 2)).containsExactly("0 ms: announced", "5000 ms: refuses, reference null");
    }

    @Test
    void clientsStayConnectedUntilTheOtherNodesHaveTakenTheBuckets() {
        open = 1;
        isHandedOver = () -> nanos - 42 >= 60_000_000;

        drain(1_000, "0S", "300S", "").run();

        assertThat(events)
                .containsExactly(
                        "0 ms: announced", "0 ms: refuses, reference null", "60 ms: closed 1", "160 ms: closed 0");
    }

    @Test
    void clientsAreSentToAnAddressThatAnotherNodeHasToldUnlessOneIsSet() {
        otherServer = "10.0.0.6:1883";

        drain(1_000, "0S", "300S", "").run();
        drain(1_000, "0S", "300S", "mqtt.example:1883").run();

        assertThat(events)
                .contains("0 ms: refuses, reference 10.0.0.6:1883", "0 ms: refuses, reference mqtt.example:1883");
    }

    @Test
    void aHandOverThatTakesTooLongDoesNotKeepTheClients() {
        open = 1;
        isHandedOver = () -> false;

        drain(1_000, "0S", "300S", "").run();

        assertThat(events).contains("10000 ms: closed 1");
    }

    @Test
    void aHandOverEndsWhenNoOtherNodeServesAnyMore() {
        open = 1;
        isHandedOver = () -> false;
        doOthersServe = () -> nanos - 42 < 1_000_000_000L;

        drain(1_000, "0S", "300S", "").run();

        assertThat(nanos - 42).isEqualTo(1_000_000_000L);
        assertThat(open).isOne();
    }

    @Test
    void theDrainEndsAtItsLimit() {
        open = Integer.MAX_VALUE;

        drain(10, "1S", "3S", "").run();

        assertThat(nanos - 42).isBetween(2_800_000_000L, 3_000_000_000L);
        assertThat(metrics.counter("heddle.drain.closed").count()).isEqualTo(20);
    }

    @Test
    void aNodeThatNoOtherOneCanReplaceStopsAtOnce() {
        doOthersServe = () -> false;
        open = 5;

        Drain drain = drain(1, "5S", "300S", "");
        drain.run();

        assertThat(events).isEmpty();
        assertThat(drain.limit()).isZero();
    }

    @Test
    void aClusterThatStopsAsAWholeDoesNotWaitForItsDrains() {
        open = 1_000;
        doOthersServe = () -> nanos < 42 + 1_000_000_000L;

        drain(100, "0S", "300S", "").run();

        assertThat(events).last().isEqualTo("900 ms: closed 10");
        assertThat(nanos - 42).isEqualTo(1_000_000_000L);
        assertThat(open).isEqualTo(900);
    }

    @Test
    void theLimitOfTheStopCoversTheDrain() {
        assertThat(drain(1_000, "5S", "60S", "").limit()).isEqualTo(Duration.ofSeconds(62));
    }

    @Test
    void wrongSettingsAreRejected() {
        assertThatThrownBy(() -> drain(0, "0S", "300S", "")).isInstanceOf(StartupException.class);
        assertThatThrownBy(() -> drain(1, "301S", "300S", "")).hasMessageContaining("heddle.drain.delay");
        assertThatThrownBy(() -> drain(1, "0S", "0S", "")).hasMessageContaining("heddle.drain.limit");
        assertThatThrownBy(() -> drain(1, "0S", "300S", "a\nb")).hasMessageContaining("heddle.drain.server-reference");
    }
}

package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class BrokerTest {
    private final List<String> events = new ArrayList<>();

    private StartupPhase phase(String name, boolean fails) {
        return new StartupPhase() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void start() {
                if (fails) {
                    throw new StartupException(name + " cannot start", null);
                }
                events.add("+" + name);
            }

            @Override
            public void stop() {
                events.add("-" + name);
                if (name.equals("b")) {
                    throw new IllegalStateException("b does not stop cleanly");
                }
            }
        };
    }

    @Test
    void phasesStartInOrderAndStopInReverseEvenWhenOneFailsToStop() {
        Broker broker = new Broker(List.of(phase("a", false), phase("b", false), phase("c", false)));

        broker.start();
        assertThat(broker.state()).isEqualTo(Broker.State.READY);
        broker.stop();
        broker.stop();

        assertThat(events).containsExactly("+a", "+b", "+c", "-c", "-b", "-a");
        assertThat(broker.state()).isEqualTo(Broker.State.STOPPED);
    }

    @Test
    void failingPhaseStopsThePhasesBeforeIt() {
        Broker broker = new Broker(List.of(phase("a", false), phase("x", true), phase("c", false)));

        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(broker::start)
                .withMessage("x cannot start");

        assertThat(events).containsExactly("+a", "-a");
        assertThat(broker.state()).isEqualTo(Broker.State.STOPPED);
    }

    @Test
    void aBrokerStartsOnlyOnce() {
        Broker broker = new Broker(List.of());
        broker.start();

        assertThatIllegalStateException().isThrownBy(broker::start);
    }

    @Test
    void stopInterruptsABlockedStart() throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        StartupPhase waits = new StartupPhase() {
            @Override
            public String name() {
                return "a store that never answers";
            }

            @Override
            public void start() {
                waiting.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    throw new StartupException("interrupted", e);
                }
            }

            @Override
            public void stop() {
                events.add("stopped what never started");
            }
        };
        Broker broker = new Broker(List.of(phase("a", false), waits));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread starter = Thread.ofPlatform().name("starter").start(() -> {
            try {
                broker.start();
            } catch (StartupException e) {
                failure.set(e);
            }
        });
        waiting.await();

        broker.stop();
        starter.join();

        assertThat(failure.get()).isInstanceOf(StartupException.class);
        assertThat(events).containsExactly("+a", "-a");
        assertThat(broker.state()).isEqualTo(Broker.State.STOPPED);
    }
}

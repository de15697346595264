package io.heddle.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

final class RefusalLogTest {
    private static final Limit SUBSCRIPTIONS = new Limit("heddle.session.maximum-subscriptions", 10_000);
    private static final Limit PACKETS = new Limit("heddle.mqtt.maximum-packet-size", 1_048_576);

    /** The arguments of each line at INFO. */
    private final List<List<Object>> lines = new ArrayList<>();

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    private final Logger log = (Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (_, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("info");
                lines.add(List.of((Object[]) arguments[1]));
                return null;
            });

    private final RefusalLog refusals = new RefusalLog(log, nanos::get, metrics);

    @Test
    void aRefusalIsOneLineWithTheSettingItsValueAndTheClient() {
        refusals.refused(SUBSCRIPTIONS, "a subscription", "gateway");

        assertThat(lines)
                .containsExactly(
                        List.of("heddle.session.maximum-subscriptions", 10_000L, "a subscription", "clientId=gateway"));
    }

    @Test
    void aClientIsNamedByItsAddressIfItsIdIsUnknown() {
        refusals.refused(PACKETS, "a packet", "", "/192.0.2.1:5000");
        refusals.refused(SUBSCRIPTIONS, "a packet", "c", "/192.0.2.1:5000");

        assertThat(lines)
                .extracting(List::getLast)
                .containsExactly("address=/192.0.2.1:5000", "clientId=c, address=/192.0.2.1:5000");
    }

    @Test
    void eachLimitHasOneLineAMinuteWithTheNumberOfThoseWithout() {
        for (int i = 0; i < 5; i++) {
            refusals.refused(SUBSCRIPTIONS, "a subscription", "c" + i);
        }
        refusals.refused(PACKETS, "a packet", "p");
        nanos.addAndGet(RefusalLog.PAUSE.toNanos() - 1);
        refusals.refused(SUBSCRIPTIONS, "a subscription", "too early");
        nanos.incrementAndGet();
        refusals.refused(SUBSCRIPTIONS, "a subscription", "later");
        nanos.addAndGet(RefusalLog.PAUSE.toNanos());
        refusals.refused(SUBSCRIPTIONS, "a subscription", "last");

        assertThat(lines)
                .extracting(List::getLast)
                .containsExactly("clientId=c0", "clientId=p", "clientId=later, suppressed=5", "clientId=last");
    }

    @Test
    void eachRefusalIsCountedByItsSetting() {
        refusals.refused(SUBSCRIPTIONS, "a subscription", "c");
        refusals.refused(SUBSCRIPTIONS, "a subscription", "c");

        assertThat(metrics.get("heddle.limits.refusals")
                        .tag("setting", "heddle.session.maximum-subscriptions")
                        .counter()
                        .count())
                .isEqualTo(2);
    }
}

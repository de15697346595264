package io.heddle.core.operator.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.session.ConnectedClient;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The times are those of the processor, and are printed; the bound is generous, because the machine of a build may be slow. */
final class ManyClientsTest {
    private static final Logger log = LoggerFactory.getLogger(ManyClientsTest.class);
    private static final int CLIENTS = 1_000_000;
    private static final Duration BOUND_OF_A_PAGE = Duration.ofSeconds(1);

    @Test
    void aPageOfAMillionClientsIsFoundFast() {
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("10.0.0.7"), 1234);
        ConcurrentSkipListMap<String, ConnectedClient> clients = new ConcurrentSkipListMap<>();
        List<ConnectedClient> all = new ArrayList<>(CLIENTS);
        for (int i = 0; i < CLIENTS; i++) {
            // Scattered, as clients connect.
            long number = i * 7_919L % CLIENTS;
            ClientId id = new ClientId("sensor-" + number);
            all.add(new ConnectedClient(
                    new ClientIdentity(id, ClientType.DEVICE, "user-" + number % 100),
                    address,
                    "mqtt",
                    MqttVersion.V5,
                    60,
                    0,
                    true,
                    number));
        }
        long usedBefore = used();
        long begin = cpuNanos();
        for (ConnectedClient each : all) {
            clients.put(each.identity().clientId().value(), each);
        }
        long insertion = cpuNanos() - begin;
        log.info("Inserting a client takes {} ns and {} bytes", insertion / CLIENTS, (used() - usedBefore) / CLIENTS);

        time(clients, "the first page", query(ClientFilter.ALL, null), 100);
        time(clients, "a page in the middle", query(ClientFilter.ALL, "sensor-5"), 100);
        time(clients, "a user of 1 %", query(user("user-42"), null), 100);
        time(clients, "an unknown user, 200,000 examined", query(user("nobody"), null), 0);
        time(clients, "a glob at the end, 200,000 examined", query(glob("*-999999x"), null), 0);
        time(clients, "a prefix", query(glob("sensor-99999*"), null), 11);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        runtime.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static ClientFilter user(String name) {
        return new ClientFilter(null, null, name, null, null, null, null, null, null, null);
    }

    private static ClientFilter glob(String glob) {
        return new ClientFilter(null, glob, null, null, null, null, null, null, null, null);
    }

    private static ClientQuery query(ClientFilter filter, @Nullable String after) {
        return new ClientQuery(filter, after, false, 100);
    }

    private static void time(
            ConcurrentSkipListMap<String, ConnectedClient> clients, String name, ClientQuery query, int expected) {
        List<ConnectedClient> found = new ArrayList<>();
        long begin = cpuNanos();
        var _ = OrderedWalk.walk(clients, query, query.filter()::matches, found::add);
        long nanos = cpuNanos() - begin;
        log.info("{}: {} ms", name, TimeUnit.NANOSECONDS.toMicros(nanos) / 1_000.0);
        assertThat(found).hasSize(expected);
        assertThat(nanos).as(name).isLessThan(BOUND_OF_A_PAGE.toNanos());
    }
}

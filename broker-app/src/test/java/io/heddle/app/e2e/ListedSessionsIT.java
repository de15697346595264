package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Pages of many stored sessions over REST, on three brokers. The property {@code heddle.test.sessions} is the number of sessions. Logs the times
 * of each request. The test has its own servers.
 */
@OwnProcesses(because = "a million sessions need heaps of their own")
@Tag("outage")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class ListedSessionsIT {
    private static final Logger log = LoggerFactory.getLogger(ListedSessionsIT.class);

    private static final int SESSIONS = Integer.getInteger("heddle.test.sessions", 1_000_000);
    private static final int NODES = 3;
    private static final int CONNECTED = 30;
    private static final int ROOM = 100_000;
    private static final int PAGES = 50;
    private static final int REPETITIONS = 20;
    private static final Duration READY = Duration.ofMinutes(5);
    private static final Duration MEDIAN_BELOW = Duration.ofMillis(200);

    private record Listing(String description, String query) {}

    private static final List<Listing> FIRST_PAGES = List.of(
            new Listing("first page of 100", ""),
            new Listing("first page of 1,000", "limit=1000"),
            new Listing("last page of 100", "sort=-clientId"),
            new Listing("prefix with 111 clients", "clientIdPrefix=filled-9999"),
            new Listing("prefix of the connected clients", "clientIdPrefix=here-"),
            new Listing("pattern that begins with a wildcard", "clientId=*99"),
            new Listing("pattern of no client", "clientId=*none"),
            new Listing("connected clients", "state=CONNECTED"),
            new Listing("clients of a node", "node=listed-1"),
            new Listing("clients of an address", "address=127.0.0.1"),
            new Listing("APPLICATION clients", "type=APPLICATION"));

    @Test
    void eachPageOfAMillionSessionsComesSoon(@TempDir Path directory) throws Exception {
        try (Servers servers =
                Servers.builder(directory).tuning(Tuning.OUTAGE_TESTS).start()) {
            servers.awaitReady(READY);
            List<BrokerProcess> nodes = new ArrayList<>();
            List<RawClient> connected = new ArrayList<>();
            try (RestClient administrator = runOnce(servers)) {
                StoredSessions.write(servers, "filled", SESSIONS);
                for (int i = 0; i < NODES; i++) {
                    nodes.add(node(servers, "listed-" + i).awaitReady());
                }
                administrator.awaitSteady(nodes.getFirst(), nodes.size());
                for (int i = 0; i < CONNECTED; i++) {
                    connected.add(new RawConnect("here-" + i)
                            .open(nodes.get(i % NODES).mqttPort()));
                }
                assertThatPagesAreComplete(administrator, nodes.getFirst());
                for (Listing listing : FIRST_PAGES) {
                    assertThat(median(administrator, nodes.getFirst(), listing))
                            .as(listing.description())
                            .isLessThan(MEDIAN_BELOW);
                }
            } finally {
                connected.forEach(RawClient::close);
                nodes.forEach(BrokerProcess::close);
            }
        }
    }

    /** Lets a broker create the topics and the administrator. */
    private static RestClient runOnce(Servers servers) throws Exception {
        try (BrokerProcess broker = node(servers, "listed-first").awaitReady()) {
            return RestClient.signIn(broker);
        }
    }

    /** Follows the cursor through the first pages. */
    private static void assertThatPagesAreComplete(RestClient administrator, BrokerProcess node) throws Exception {
        String next = "";
        List<String> ids = new ArrayList<>();
        long[] nanos = new long[PAGES];
        for (int i = 0; i < PAGES; i++) {
            long begin = System.nanoTime();
            JsonNode page = administrator.get(
                    node, "/api/v1/clients?clientIdPrefix=filled-" + (next.isEmpty() ? "" : "&after=" + next));
            nanos[i] = System.nanoTime() - begin;
            page.path("items").forEach(each -> ids.add(each.path("clientId").asString()));
            next = page.path("next").asString();
        }
        assertThat(ids).hasSize(PAGES * 100).doesNotHaveDuplicates().isSorted();
        assertThat(log("page of 100 by its cursor", nanos)).isLessThan(MEDIAN_BELOW);
    }

    private static Duration median(RestClient administrator, BrokerProcess node, Listing listing) throws Exception {
        long[] nanos = new long[REPETITIONS];
        int found = 0;
        for (int i = 0; i < REPETITIONS; i++) {
            long begin = System.nanoTime();
            JsonNode page = administrator.get(node, "/api/v1/clients?" + listing.query());
            nanos[i] = System.nanoTime() - begin;
            assertThat(page.path("missingNodes").size()).as(page.toString()).isZero();
            found = page.path("items").size();
        }
        return log(listing.description() + ", " + found + " found", nanos);
    }

    private static Duration log(String description, long[] nanos) {
        Arrays.sort(nanos);
        Duration median = Duration.ofNanos(nanos[nanos.length / 2]);
        log.info(
                "{} of {} sessions: median {} ms, slowest {} ms",
                description,
                SESSIONS,
                median.toMillis(),
                Duration.ofNanos(nanos[nanos.length - 1]).toMillis());
        return median;
    }

    private static BrokerProcess node(Servers servers, String id) throws Exception {
        return BrokerProcess.withoutServers(
                List.of("-Xmx3g"),
                BrokerUnderTest.defaultSettings(
                        id,
                        servers.endpoints(),
                        "--heddle.authentication.anonymous.enabled=true",
                        "--heddle.session.maximum-sessions=" + (SESSIONS + ROOM),
                        "--heddle.session.memory-limit=2GB"));
    }
}

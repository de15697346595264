package io.heddle.core.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.Limit;
import io.heddle.core.client.RecentRefusals.Kind;
import io.heddle.core.client.RecentRefusals.Refusal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class RecentRefusalsTest {
    private static final Instant START = Instant.parse("2026-11-01T10:00:00Z");

    private long second;
    private final RecentRefusals refusals = new RecentRefusals(() -> START.plusSeconds(second), new ClientEvents());

    private static InetSocketAddress address(int host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("192.0.2." + host), port);
    }

    private void add(String clientId, int host, String detail) {
        second++;
        refusals.add(Kind.CONNECT, "not_authorized", detail, clientId, "ada", address(host, 1_000 + (int) second));
    }

    private List<Refusal> all() {
        return refusals.latest(_ -> true, RecentRefusals.MAXIMUM);
    }

    @Test
    void repeatedRefusalsToAClientAreOneEntryWithTheLatestDetail() {
        add("pump", 1, "first");
        add("valve", 1, "other");
        add("pump", 1, "second");
        add("pump", 2, "elsewhere");

        assertThat(all())
                .containsExactly(
                        refusal("pump", "192.0.2.2", "elsewhere", 4, 4, 1),
                        refusal("pump", "192.0.2.1", "second", 1, 3, 2),
                        refusal("valve", "192.0.2.1", "other", 2, 2, 1));
        assertThat(refusals.latest(each -> each.clientId().equals("pump"), 1)).hasSize(1);
    }

    private static Refusal refusal(String clientId, String address, String detail, int first, int last, long count) {
        return new Refusal(
                Kind.CONNECT,
                "not_authorized",
                detail,
                clientId,
                "ada",
                address,
                START.plusSeconds(first),
                START.plusSeconds(last),
                count);
    }

    @Test
    void aFloodOfOneClientDisplacesNobody() {
        add("pump", 1, "first");
        for (int i = 0; i < 50_000; i++) {
            add("flood", 2, "again");
        }

        assertThat(all()).extracting(Refusal::clientId).containsExactly("flood", "pump");
        assertThat(all().getFirst().count()).isEqualTo(50_000);
    }

    @Test
    void theOldestEntriesGoFirst() {
        for (int i = 0; i < 3 * RecentRefusals.MAXIMUM; i++) {
            add("client-" + i, i % 200, "refused");
        }

        List<Refusal> kept = all();
        assertThat(kept).hasSize(RecentRefusals.MAXIMUM);
        assertThat(kept).allMatch(each -> each.last().isAfter(START.plusSeconds(2 * RecentRefusals.MAXIMUM)));
    }

    @Test
    void anAddressWithManyClientIdsDisplacesOnlyItself() {
        add("pump", 1, "first");
        for (int i = 0; i < 3 * RecentRefusals.MAXIMUM; i++) {
            add("flood-" + i, 2, "refused");
        }

        List<Refusal> kept = all();
        assertThat(kept).hasSize(1 + RecentRefusals.MAXIMUM / 10);
        assertThat(kept.getLast().clientId()).isEqualTo("pump");
        assertThat(kept.getFirst().clientId()).isEqualTo("flood-" + (3 * RecentRefusals.MAXIMUM - 1));
    }

    @Test
    void anEntryThatIsRepeatedIsTheLatestOfItsNetwork() {
        add("pump", 1, "first");
        for (int i = 0; i < RecentRefusals.MAXIMUM / 10 - 1; i++) {
            add("other-" + i, 1, "refused");
        }
        add("pump", 1, "again");
        add("another", 1, "refused");

        assertThat(all())
                .hasSize(RecentRefusals.MAXIMUM / 10)
                .extracting(Refusal::clientId)
                .startsWith("another", "pump")
                .doesNotContain("other-0");
    }

    @Test
    void addressesOfAnIpv6NetworkHaveOneShare() {
        for (int i = 0; i < 2 * RecentRefusals.MAXIMUM; i++) {
            refusals.add(
                    Kind.CONNECT,
                    "not_authorized",
                    "refused",
                    "pump",
                    null,
                    new InetSocketAddress(InetAddress.ofLiteral("2001:db8::" + Integer.toHexString(i)), 7));
        }

        assertThat(all()).hasSize(RecentRefusals.MAXIMUM / 10);
    }

    @Test
    void theBoundsHoldForManyThreads() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> added = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int first = thread;
                added.add(threads.submit(() -> {
                    for (int i = 0; i < RecentRefusals.MAXIMUM; i++) {
                        int host = i % 2 == 0 ? 1 : (first + i) % 250;
                        refusals.add(Kind.CONNECT, "reason", "refused", "c" + first + i, null, address(host, 7));
                    }
                }));
            }
            for (Future<?> each : added) {
                each.get();
            }
        }

        assertThat(all()).hasSize(RecentRefusals.MAXIMUM);
        assertThat(refusals.latest(each -> each.address().equals("192.0.2.1"), RecentRefusals.MAXIMUM))
                .hasSizeLessThanOrEqualTo(RecentRefusals.MAXIMUM / 10);
    }

    @Test
    void longTextsAreCutBetweenCharacters() {
        add("x".repeat(199) + "\uD83D\uDE80", 1, "y".repeat(100_000));

        assertThat(all().getFirst().clientId()).isEqualTo("x".repeat(199) + "\uD83D\uDE80");
        assertThat(all().getFirst().detail()).hasSize(200);
    }

    @Test
    void messagesThatExceedALimitAreKeptOnlyIfTheyAreLogged() {
        ClientIncidents incidents = new ClientIncidents(() -> 0, new SimpleMeterRegistry());

        for (int i = 0; i < 1_000; i++) {
            incidents.overflowed(new Limit("heddle.some.limit", 5), "a message", new ClientId("slow"));
        }

        assertThat(incidents.recent().latest(_ -> true, 10))
                .singleElement()
                .returns(Kind.LIMIT, Refusal::kind)
                .returns("slow", Refusal::clientId)
                .returns(1L, Refusal::count);
    }

    @Test
    void incidentsAreKeptWhetherALineIsWrittenOrNot() {
        ClientIncidents incidents = new ClientIncidents(() -> 0, new SimpleMeterRegistry());
        incidents.lookUp(_ -> new ClientIncidents.Origin("ada", address(1, 7)));
        Limit limit = new Limit("heddle.some.limit", 5);

        for (int i = 0; i < 3; i++) {
            incidents.publishDenied("a/" + i, "the rules deny it", new ClientId("pump"));
        }
        incidents.subscriptionDenied("b/#", new ClientId("pump"));
        incidents.willDenied("c", new ClientId("pump"));
        incidents.refused(limit, "a subscription", new ClientId("pump"));

        List<Refusal> kept = incidents.recent().latest(_ -> true, 10);
        assertThat(kept)
                .extracting(Refusal::kind)
                .containsExactlyInAnyOrder(Kind.PUBLISH, Kind.SUBSCRIBE, Kind.WILL, Kind.LIMIT);
        assertThat(kept).allSatisfy(each -> {
            assertThat(each.clientId()).isEqualTo("pump");
            assertThat(each.userName()).isEqualTo("ada");
            assertThat(each.address()).isEqualTo("192.0.2.1");
        });
        assertThat(incidents.recent().latest(each -> each.kind() == Kind.PUBLISH, 1))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.count()).isEqualTo(3);
                    assertThat(each.detail()).isEqualTo("the rules deny it: a/2");
                });
    }
}

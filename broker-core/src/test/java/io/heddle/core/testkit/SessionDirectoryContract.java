package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.directory.SessionDirectory;
import io.heddle.core.session.directory.SessionDirectory.Stored;
import io.heddle.core.session.directory.SessionEntry;
import io.heddle.core.session.directory.SessionEntry.Subscribed;
import io.heddle.core.session.persistent.SessionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every {@link SessionDirectory} promises. Each test begins with an empty one. */
public abstract class SessionDirectoryContract {
    private static final ClientId PUMP = new ClientId("pump-1");
    private static final ClientId VALVE = new ClientId("valve-1");
    private static final Subscribed PLAIN = new Subscribed("a/b", QoS.AT_MOST_ONCE, false, false, 0);
    private static final Subscribed SPECIAL =
            new Subscribed("$share/g/a/+/#", QoS.EXACTLY_ONCE, true, true, 268_435_455);

    /** The directory under test, empty at the beginning of a test and the same throughout it. */
    protected abstract SessionDirectory directory();

    @Test
    void anEmptyDirectoryHasNoEntries() {
        assertThat(directory().find(PUMP)).isNull();
        assertThat(directory().page(null, 10)).isEmpty();
        assertThat(directory().remove(Map.of(PUMP, 42L))).isZero();
    }

    @Test
    void storedEntriesAreFound() {
        SessionEntry connected = entry(
                PUMP,
                new SessionRecord(42, ClientType.APPLICATION, "user", 0xFFFF_FFFFL, "node-1-a", 43, 0),
                Long.MIN_VALUE,
                PLAIN,
                SPECIAL);
        SessionEntry away = entry(
                VALVE,
                new SessionRecord(Long.MAX_VALUE, ClientType.DEVICE, null, 1, "", Long.MAX_VALUE, 1_800_000_000_123L),
                7);

        directory().put(List.of(connected, away));

        assertFound(connected);
        assertFound(away);
    }

    @Test
    void putReplacesTheWholeEntry() {
        directory().put(List.of(entry(PUMP, connected("user"), 1, PLAIN, SPECIAL), entry(VALVE, connected("user"), 2)));
        SessionEntry later =
                entry(PUMP, new SessionRecord(50, ClientType.APPLICATION, null, 60, "", 51, 1_000), 3, PLAIN);

        directory().put(List.of(later));

        assertFound(later);
        assertFound(entry(VALVE, connected("user"), 2));
        assertThat(directory().page(null, 10)).hasSize(2);
    }

    @Test
    void anEntryMayCountMoreSubscriptionsThanItLists() {
        SessionEntry cut = new SessionEntry(PUMP, connected(null), 1_000_000, List.of(PLAIN), 1);

        directory().put(List.of(cut));

        assertFound(cut);
    }

    @Test
    void removeDeletesOnlyTheNamedEntries() {
        directory().put(List.of(entry(PUMP, connected("user"), 1, PLAIN), entry(VALVE, connected("user"), 2)));

        assertThat(directory().remove(Map.of(PUMP, 42L, new ClientId("nobody"), 42L)))
                .isOne();

        assertThat(directory().find(PUMP)).isNull();
        assertThat(directory().find(VALVE)).isNotNull();
        assertThat(directory().remove(Map.of(PUMP, 42L))).isZero();
    }

    /** The calls of a node that was frozen, after another one has taken over. */
    @Test
    void anEntryOfALaterEpochStays() {
        SessionEntry later = entry(PUMP, new SessionRecord(42, ClientType.DEVICE, "user", 60, "node-2-b", 43, 0), 2);
        directory().put(List.of(later));

        directory().put(List.of(entry(PUMP, connected("user"), 1), entry(VALVE, connected("user"), 3)));
        assertThat(directory().remove(Map.of(PUMP, 42L))).isZero();

        assertFound(later);
        assertFound(entry(VALVE, connected("user"), 3));
    }

    @Test
    void pagesShowEachEntryOnce() {
        List<SessionEntry> entries = IntStream.range(0, 25)
                .mapToObj(i -> entry(new ClientId("client-" + i), connected("user"), i + 1, PLAIN))
                .toList();
        directory().put(entries);

        List<Stored> seen = new ArrayList<>();
        List<Stored> page = directory().page(null, 10);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(10);
            seen.addAll(page);
            // It does not have to be there still.
            ClientId last = page.getLast().clientId();
            directory().remove(Map.of(last, 42L));
            page = directory().page(last, 10);
        }

        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(entries.stream()
                        .map(entry -> new Stored(entry.clientId(), 42, entry.fingerprint()))
                        .toList());
    }

    @Test
    void namesMayContainAnyCharacters() {
        String odd = "\"Zoë\" \uD83D\uDE80 \\ \\u0041 \u0001\u007F ' $1 %s {\"a\":[1]} \uFFFE";
        SessionEntry strange =
                entry(new ClientId(odd), connected(odd), 1, new Subscribed(odd, QoS.AT_LEAST_ONCE, false, true, 1));
        // Of any three bytes one character: the shortest text that fills 65,535 bytes, and one that does not compress.
        StringBuilder incompressible = new StringBuilder();
        for (int i = 0; incompressible.length() < 21_845; i++) {
            incompressible.append((char) (0x4E00 + (i * 7_919L * i) % 20_000));
        }
        String longest = incompressible.toString();
        SessionEntry longestOfAll = entry(
                new ClientId(longest),
                connected(longest),
                2,
                new Subscribed(longest, QoS.AT_MOST_ONCE, true, false, 0));

        directory().put(List.of(strange, longestOfAll));

        assertFound(strange);
        assertFound(longestOfAll);
        assertThat(directory().find(new ClientId(longest.substring(1)))).isNull();
        assertThat(directory().page(null, 10)).hasSize(2);
        assertThat(directory().remove(Map.of(longestOfAll.clientId(), 42L, strange.clientId(), 43L)))
                .isEqualTo(2);
    }

    private static SessionRecord connected(@Nullable String userName) {
        return new SessionRecord(42, ClientType.DEVICE, userName, 3_600, "node-1-a", 42, 0);
    }

    private static SessionEntry entry(
            ClientId clientId, SessionRecord record, long fingerprint, Subscribed... subscriptions) {
        return new SessionEntry(clientId, record, subscriptions.length, List.of(subscriptions), fingerprint);
    }

    private void assertFound(SessionEntry expected) {
        assertThat(directory().find(expected.clientId()))
                .usingRecursiveComparison()
                .ignoringCollectionOrder()
                .isEqualTo(expected);
    }
}

package io.heddle.core.operator.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.operator.client.ClientEntry.ClientLink;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PageMergeTest {
    private static ClientEntry away(String id, long sinceMillis) {
        return new ClientEntry(id, ClientType.DEVICE, null, 60, sinceMillis, null);
    }

    private static ClientEntry connected(String id, String node, long sinceMillis) {
        return new ClientEntry(
                id,
                ClientType.DEVICE,
                null,
                60,
                sinceMillis,
                new ClientLink(node, "192.0.2.1:1", "mqtt", MqttVersion.V5, 60, true));
    }

    private static PageMerge merge(boolean descending, int limit) {
        return new PageMerge(new ClientQuery(ClientFilter.ALL, null, descending, limit));
    }

    @Test
    void theSourcesAreMergedInOrder() {
        PageMerge merge = merge(false, 10);
        merge.add(List.of(connected("a", "n1", 1), connected("d", "n1", 1)), null);
        merge.add(List.of(connected("b", "n2", 1)), null);
        merge.add(List.of(away("c", 1)), null);

        ClientPage page = merge.page(Set.of("n3"));

        assertThat(page.entries()).extracting(ClientEntry::clientId).containsExactly("a", "b", "c", "d");
        assertThat(page.next()).isNull();
        assertThat(page.missingNodes()).containsExactly("n3");
    }

    @Test
    void theSourceThatEndsFirstLimitsThePage() {
        PageMerge merge = merge(false, 10);
        merge.add(List.of(connected("a", "n1", 1), connected("d", "n1", 1)), null);
        merge.add(List.of(connected("b", "n2", 1)), "c");

        ClientPage page = merge.page(Set.of());

        assertThat(page.entries()).extracting(ClientEntry::clientId).containsExactly("a", "b");
        assertThat(page.next()).isEqualTo("c");
    }

    @Test
    void aFullPageNamesItsLastClient() {
        PageMerge merge = merge(true, 2);
        merge.add(List.of(connected("d", "n1", 1), connected("a", "n1", 1)), "a");
        merge.add(List.of(connected("c", "n2", 1)), null);

        ClientPage page = merge.page(Set.of());

        assertThat(page.entries()).extracting(ClientEntry::clientId).containsExactly("d", "c");
        assertThat(page.next()).isEqualTo("c");
    }

    @Test
    void aClientThatMovesIsShownOnce() {
        PageMerge merge = merge(false, 10);
        merge.add(List.of(away("a", 9), connected("b", "n1", 1)), null);
        merge.add(List.of(connected("a", "n2", 1), connected("b", "n2", 2)), null);

        ClientPage page = merge.page(Set.of());

        assertThat(page.entries()).containsExactly(connected("a", "n2", 1), connected("b", "n2", 2));
    }
}

package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.TopicState;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What every {@link LogServers} promises. The servers under test have the topics {@code heddle.dead}, which the node does not follow, and
 * {@code heddle.retained}, of which it has not read seven records yet.
 */
public abstract class LogServersContract {
    protected abstract LogServers servers();

    @Test
    void theLagIsThatOfTheFollowedTopics() {
        assertThat(servers().topics())
                .filteredOn(topic ->
                        topic.name().equals("heddle.dead") || topic.name().equals("heddle.retained"))
                .extracting(TopicState::followedLag)
                .containsExactly(TopicState.NOT_FOLLOWED, 7L);
    }

    @Test
    void topicsAreListedInTheOrderOfTheirNamesWithAllPartitions() {
        List<TopicState> topics = servers().topics();

        assertThat(topics).extracting(TopicState::name).isSorted().contains("heddle.dead", "heddle.retained");
        assertThat(topics).extracting(TopicState::name).noneMatch(name -> name.startsWith("heddle.app."));
        TopicState retained = topics.stream()
                .filter(each -> each.name().equals("heddle.retained"))
                .findFirst()
                .orElseThrow();
        assertThat(retained.partitions())
                .extracting(TopicState.Partition::partition)
                .containsExactly(0, 1, 2, 3);
        assertThat(retained.partitions()).allSatisfy(each -> {
            assertThat(each.endOffset()).isGreaterThanOrEqualTo(each.firstOffset());
            assertThat(each.bytes()).isGreaterThanOrEqualTo(0);
            assertThat(each.inSyncReplicas()).isBetween(1, each.replicas());
        });
    }
}

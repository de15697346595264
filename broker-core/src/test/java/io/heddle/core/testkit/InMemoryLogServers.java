package io.heddle.core.testkit;

import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.TopicState;
import io.heddle.core.operator.store.TopicState.Partition;
import java.util.List;

/** Two topics that do not change. */
public final class InMemoryLogServers implements LogServers {
    @Override
    public List<TopicState> topics() {
        return List.of(
                new TopicState("heddle.dead", List.of(new Partition(0, 0, 0, 0, 3, 3)), TopicState.NOT_FOLLOWED),
                new TopicState(
                        "heddle.retained",
                        List.of(
                                new Partition(0, 0, 10, 1_000, 3, 3),
                                new Partition(1, 5, 20, 2_000, 3, 2),
                                new Partition(2, 0, 0, 0, 3, 3),
                                new Partition(3, 0, 1, 80, 3, 3)),
                        7));
    }
}

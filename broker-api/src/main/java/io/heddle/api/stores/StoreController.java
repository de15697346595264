package io.heddle.api.stores;

import io.heddle.api.page.Page;
import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.QueueServers;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the topics of Kafka and the servers of Redis. */
@RestController
public final class StoreController {
    private final LogServers logs;
    private final QueueServers queues;

    public StoreController(LogServers logs, QueueServers queues) {
        this.logs = logs;
        this.queues = queues;
    }

    /** The topics that all clients share; those of APPLICATION clients are a resource of their own. */
    @GetMapping("/api/v1/stores/kafka/topics")
    Page<TopicResponse> topics() {
        return new Page<>(logs.topics().stream().map(TopicResponse::of).toList(), null);
    }

    @GetMapping("/api/v1/stores/redis/servers")
    Page<RedisServerResponse> redis() {
        return new Page<>(
                queues.servers().stream().map(RedisServerResponse::of).toList(), null);
    }
}

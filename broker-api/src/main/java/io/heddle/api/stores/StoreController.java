package io.heddle.api.stores;

import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.QueueServerState;
import io.heddle.core.operator.store.QueueServers;
import io.heddle.core.operator.store.TopicState;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the topics of Kafka and the servers of Redis. */
@RestController
public final class StoreController {
    private static final ListRules TOPICS = ListRules.of(List.of("name", "-name"));
    private static final ListRules SERVERS = ListRules.of(List.of("address", "-address"));

    private final LogServers logs;
    private final QueueServers queues;

    public StoreController(LogServers logs, QueueServers queues) {
        this.logs = logs;
        this.queues = queues;
    }

    /** The topics that all clients share; those of APPLICATION clients are a resource of their own. */
    @GetMapping("/api/v1/stores/kafka/topics")
    Page<TopicResponse> topics(HttpServletRequest request) {
        ListRequest list = TOPICS.parse(request.getParameterMap());
        return Page.ofAll(list, logs.topics(), TopicState::name, TopicResponse::of);
    }

    @GetMapping("/api/v1/stores/redis/servers")
    Page<RedisServerResponse> redis(HttpServletRequest request) {
        ListRequest list = SERVERS.parse(request.getParameterMap());
        return Page.ofAll(list, queues.servers(), QueueServerState::address, RedisServerResponse::of);
    }
}

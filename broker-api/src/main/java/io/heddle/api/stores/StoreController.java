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
import java.util.function.Function;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the topics of Kafka and the servers of Redis. */
@RestController
public final class StoreController {
    private static final ListRules TOPICS = ListRules.of(List.of("name"));
    private static final ListRules SERVERS = ListRules.of(List.of("address"));

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
        return page(list, logs.topics(), TopicState::name, TopicResponse::of);
    }

    @GetMapping("/api/v1/stores/redis/servers")
    Page<RedisServerResponse> redis(HttpServletRequest request) {
        ListRequest list = SERVERS.parse(request.getParameterMap());
        return page(list, queues.servers(), QueueServerState::address, RedisServerResponse::of);
    }

    /** @param all in the order of their keys */
    private static <S, T> Page<T> page(ListRequest list, List<S> all, Function<S, String> key, Function<S, T> item) {
        String after = list.after();
        List<S> rest = all.stream()
                .filter(each -> after == null || key.apply(each).compareTo(after) > 0)
                .limit(list.limit() + 1L)
                .toList();
        return Page.of(rest, list.limit(), item, last -> list.next(key.apply(last)));
    }
}

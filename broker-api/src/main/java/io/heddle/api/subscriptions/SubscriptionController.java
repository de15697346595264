package io.heddle.api.subscriptions;

import io.heddle.api.page.Cursor;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.operator.client.FilterPage;
import io.heddle.core.operator.client.SubscriberPage;
import io.heddle.core.operator.client.SubscriberPage.Subscriber;
import io.heddle.core.operator.client.SubscriberQuery;
import io.heddle.core.operator.client.SubscriberQuery.Of;
import io.heddle.core.operator.client.SubscriberQuery.Position;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists the topic filters in use, and the subscribers of a topic or of a filter. */
@RestController
public final class SubscriptionController {
    private static final String TOPIC = "topic";
    private static final String TOPIC_FILTER = "topicFilter";
    private static final ListRules RULES = ListRules.of(List.of("clientId"), TOPIC, TOPIC_FILTER);

    private static final String PREFIX = "topicFilterPrefix";
    private static final ListRules FILTER_RULES = ListRules.of(List.of("topicFilter"), PREFIX);

    private final Node node;

    public SubscriptionController(Node node) {
        this.node = node;
    }

    @GetMapping("/api/v1/subscriptions")
    SubscribersResponse list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        SubscriberPage page =
                node.clients().subscribers(new SubscriberQuery(subject(list), position(list), list.limit()));
        Position next = page.next();
        return new SubscribersResponse(
                page.entries().stream().map(SubscriberResponse::of).toList(),
                next == null ? null : list.next(next.clientId(), next.topicFilter()),
                List.copyOf(new TreeSet<>(page.missingNodes())),
                page.isComplete());
    }

    @GetMapping("/api/v1/filters")
    FiltersResponse filters(HttpServletRequest request) {
        ListRequest list = FILTER_RULES.parse(request.getParameterMap());
        String prefix = Objects.requireNonNullElse(list.text(PREFIX), "");
        FilterPage page = node.clients().filters(new FilterPage.Query(prefix, list.after(), list.limit()));
        return new FiltersResponse(
                page.entries(),
                page.next() == null ? null : list.next(page.next()),
                List.copyOf(new TreeSet<>(page.missingNodes())),
                page.isComplete());
    }

    private static Of subject(ListRequest list) {
        String topic = list.text(TOPIC);
        String filter = list.text(TOPIC_FILTER);
        if ((topic == null) == (filter == null)) {
            throw RequestProblem.invalid(TOPIC, "Give either topic or topicFilter.");
        }
        // The broker may have allowed more levels before than it allows now.
        if (topic != null) {
            try {
                return new Of.Topic(TopicName.parse(topic, Integer.MAX_VALUE));
            } catch (ProtocolException _) {
                throw RequestProblem.invalid(TOPIC, "Use a topic name: not empty, and without + and #.");
            }
        }
        try {
            return new Of.Filter(TopicFilter.parse(String.valueOf(filter), Integer.MAX_VALUE));
        } catch (ProtocolException _) {
            throw RequestProblem.invalid(
                    TOPIC_FILTER, "Use a topic filter such as sensors/+/state or $share/group/a/#.");
        }
    }

    private static @Nullable Position position(ListRequest list) {
        List<@Nullable String> key = list.after(2);
        if (key == null) {
            return null;
        }
        String clientId = key.getFirst();
        String filter = key.getLast();
        if (clientId == null || clientId.isEmpty() || filter == null) {
            throw Cursor.bad();
        }
        return new Position(clientId, filter);
    }

    /**
     * A part of the list of subscribers.
     *
     * @param items in the order of the client ids, then of the filters
     * @param next the cursor of the next part; null at the end of the list
     * @param missingNodes ids of members that did not answer
     * @param complete false if there are so many subscribers that some were not examined
     */
    record SubscribersResponse(
            List<SubscriberResponse> items, @Nullable String next, List<String> missingNodes, boolean complete) {}

    /**
     * A part of the list of filters.
     *
     * @param items in the order of the filters
     * @param next the cursor of the next part; null at the end of the list
     * @param missingNodes ids of members that did not answer
     * @param complete false if there are so many subscriptions that some were not examined
     */
    record FiltersResponse(
            List<FilterPage.Entry> items, @Nullable String next, List<String> missingNodes, boolean complete) {}

    /**
     * JSON representation of a subscriber.
     *
     * @param topicFilter begins with $share/ if the subscription is shared
     * @param qos granted, 0 to 2
     * @param subscriptionIdentifier null for none
     * @param persistent whether its session outlives its connection
     */
    record SubscriberResponse(
            String clientId,
            String topicFilter,
            int qos,
            boolean noLocal,
            boolean retainAsPublished,
            @Nullable Integer subscriptionIdentifier,
            boolean persistent) {
        static SubscriberResponse of(Subscriber subscriber) {
            int identifier = subscriber.subscription().identifier();
            return new SubscriberResponse(
                    subscriber.clientId(),
                    subscriber.subscription().topicFilter(),
                    subscriber.subscription().qos().level(),
                    subscriber.subscription().noLocal(),
                    subscriber.subscription().retainAsPublished(),
                    identifier == SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER ? null : Integer.valueOf(identifier),
                    subscriber.isPersistent());
        }
    }
}

package io.heddle.api.clients;

import io.heddle.api.problem.FieldProblems;
import io.heddle.core.client.Rates;
import io.heddle.core.client.activity.Ranking;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.top.SlowClient;
import io.heddle.core.operator.top.SlowClients;
import io.heddle.core.operator.top.Top;
import io.heddle.core.operator.top.TopSearch;
import io.heddle.core.operator.top.TopicTree;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the clients and topics of the cluster with the most activity, and the clients that are behind. */
@RestController
public final class TopController {
    private final Node node;

    public TopController(Node node) {
        this.node = node;
    }

    /** @param limit the highest number of entries of each ranking */
    @GetMapping("/api/v1/top")
    TopResponse top(@RequestParam(defaultValue = "10") int limit) {
        check(limit);
        Top top = node.top();
        return new TopResponse(
                new ClientRankings(
                        ranking(top, Ranking.CLIENT_MESSAGES_IN, limit),
                        ranking(top, Ranking.CLIENT_BYTES_IN, limit),
                        ranking(top, Ranking.CLIENT_MESSAGES_OUT, limit),
                        ranking(top, Ranking.CLIENT_BYTES_OUT, limit),
                        ranking(top, Ranking.CLIENT_DROPS, limit),
                        ranking(top, Ranking.CLIENT_CONNECTS, limit),
                        ranking(top, Ranking.CLIENT_SUBSCRIPTIONS, limit),
                        ranking(top, Ranking.CLIENT_WAITING, limit)),
                new TopicRankings(
                        ranking(top, Ranking.TOPIC_MESSAGES_IN, limit),
                        ranking(top, Ranking.TOPIC_BYTES_IN, limit),
                        ranking(top, Ranking.TOPIC_MESSAGES_OUT, limit),
                        ranking(top, Ranking.TOPIC_BYTES_OUT, limit)),
                top.missingNodes());
    }

    /** @param limit the highest number of topics */
    @GetMapping("/api/v1/top/topics")
    TopicTreeResponse topics(@RequestParam(defaultValue = "200") int limit) {
        FieldProblems problems = new FieldProblems();
        problems.require(
                limit >= 1 && limit <= TopSearch.MAXIMUM_TOPICS, "limit", "Use 1 to " + TopSearch.MAXIMUM_TOPICS + ".");
        problems.throwIfAny();
        TopicTree tree = node.topics(limit);
        return new TopicTreeResponse(
                tree.topics(),
                TrafficResponse.of(tree.total()),
                TrafficResponse.of(tree.listed()),
                tree.branches().stream().map(BranchResponse::of).toList(),
                tree.missingNodes());
    }

    /** @param limit the highest number of clients */
    @GetMapping("/api/v1/slow-clients")
    SlowClientsResponse slowClients(@RequestParam(defaultValue = "20") int limit) {
        check(limit);
        SlowClients found = node.slowClients(limit);
        return new SlowClientsResponse(
                found.clients().stream().map(SlowClientResponse::of).toList(), found.missingNodes());
    }

    private static void check(int limit) {
        FieldProblems problems = new FieldProblems();
        problems.require(
                limit >= 1 && limit <= TopSearch.MAXIMUM_LIMIT, "limit", "Use 1 to " + TopSearch.MAXIMUM_LIMIT + ".");
        problems.throwIfAny();
    }

    private static RankingResponse ranking(Top top, Ranking by, int limit) {
        Rates rates = top.of(by);
        return new RankingResponse(
                rounded(rates.total()),
                rates.highest(limit).stream()
                        .map(each -> new EntryResponse(each.getKey(), rounded(each.getValue())))
                        .toList());
    }

    /** Thousandths are more than a sample can tell. */
    private static double rounded(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }

    record TopResponse(ClientRankings clients, TopicRankings topics, List<String> missingNodes) {}

    /**
     * The clients with the highest values; rates are values a second.
     *
     * @param connects accepted connections
     * @param subscriptions of connected clients
     * @param waiting messages for connected clients that they have not acknowledged or were not sent yet
     */
    record ClientRankings(
            RankingResponse messagesIn,
            RankingResponse bytesIn,
            RankingResponse messagesOut,
            RankingResponse bytesOut,
            RankingResponse drops,
            RankingResponse connects,
            RankingResponse subscriptions,
            RankingResponse waiting) {}

    /** The topics with the highest values a second. */
    record TopicRankings(
            RankingResponse messagesIn,
            RankingResponse bytesIn,
            RankingResponse messagesOut,
            RankingResponse bytesOut) {}

    /**
     * A ranking, with the highest value first.
     *
     * @param total of all clients or topics
     */
    record RankingResponse(double total, List<EntryResponse> items) {}

    /**
     * The topics with the most messages, level by level.
     *
     * @param topics the number of topics in the tree
     * @param total of all topics
     * @param listed of those in the tree
     */
    record TopicTreeResponse(
            int topics,
            TrafficResponse total,
            TrafficResponse listed,
            List<BranchResponse> branches,
            List<String> missingNodes) {}

    /** Values a second; null if not known. */
    record TrafficResponse(
            @Nullable Double messagesIn,
            @Nullable Double bytesIn,
            @Nullable Double messagesOut,
            @Nullable Double bytesOut) {
        static TrafficResponse of(TopicTree.Traffic traffic) {
            return new TrafficResponse(
                    known(traffic.messagesIn()),
                    known(traffic.bytesIn()),
                    known(traffic.messagesOut()),
                    known(traffic.bytesOut()));
        }

        private static @Nullable Double known(@Nullable Double value) {
            return value == null ? null : Double.valueOf(rounded(value));
        }
    }

    /**
     * Topics that begin with the same levels.
     *
     * @param levels those behind the branch above
     * @param topic all levels from the root
     * @param used whether messages have exactly this topic
     * @param topics the number of topics, itself included
     */
    record BranchResponse(
            String levels,
            String topic,
            boolean used,
            int topics,
            TrafficResponse traffic,
            List<BranchResponse> branches) {
        static BranchResponse of(TopicTree.Branch branch) {
            return new BranchResponse(
                    branch.levels(),
                    branch.topic(),
                    branch.isTopic(),
                    branch.topics(),
                    TrafficResponse.of(branch.traffic()),
                    branch.branches().stream().map(BranchResponse::of).toList());
        }
    }

    record SlowClientsResponse(List<SlowClientResponse> items, List<String> missingNodes) {}

    /**
     * A connected client for which messages of QoS 1 or 2 wait.
     *
     * @param since when a message has always waited
     * @param waiting messages that were sent and are not acknowledged, or are known to wait
     * @param growth of the waiting messages a second; null before the second look at them
     * @param reading false while the client does not read what it is sent
     * @param limited whether a limit of the rules delays messages
     * @param maximumWaiting above which messages are dropped; null for an APPLICATION client, whose log is bounded by bytes
     * @param secondsUntilFull after which messages are dropped if the growth lasts; null if none are
     */
    record SlowClientResponse(
            String clientId,
            String type,
            @Nullable String userName,
            String node,
            Instant since,
            long waiting,
            @Nullable Double growth,
            int inFlight,
            int maximumInFlight,
            boolean reading,
            boolean limited,
            @Nullable Integer maximumWaiting,
            @Nullable Long secondsUntilFull,
            String advice) {
        static SlowClientResponse of(SlowClients.Entry entry) {
            SlowClient client = entry.client();
            double seconds = client.secondsUntilFull();
            return new SlowClientResponse(
                    client.clientId(),
                    client.type().name(),
                    client.userName(),
                    entry.node(),
                    Instant.ofEpochMilli(client.sinceMillis()),
                    client.waiting(),
                    Double.isNaN(client.growth()) ? null : Double.valueOf(rounded(client.growth())),
                    client.inFlight(),
                    client.maximumInFlight(),
                    client.isReading(),
                    client.isLimited(),
                    client.maximumWaiting() == 0 ? null : Integer.valueOf(client.maximumWaiting()),
                    Double.isNaN(seconds) ? null : Long.valueOf(Math.round(seconds)),
                    client.advice());
        }
    }

    /** @param name the client id or the topic */
    record EntryResponse(String name, double value) {}
}

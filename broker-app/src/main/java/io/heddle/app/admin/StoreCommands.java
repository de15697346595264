package io.heddle.app.admin;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OrderOption;
import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.Body;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "stores",
        description =
                "Shows the topics and hanging transactions of Kafka and the servers of Redis, and ends such transactions.")
final class StoreCommands {
    private static final List<Column> TOPICS = List.of(
            Column.of("TOPIC", "name"),
            new Column(
                    "PARTITIONS",
                    topic -> Integer.toString(topic.path("partitions").size())),
            new Column(
                    "OFFSETS",
                    topic -> Long.toString(topic.path("partitions")
                            .valueStream()
                            .mapToLong(each -> each.path("endOffset").asLong(0)
                                    - each.path("firstOffset").asLong(0))
                            .sum())),
            Column.bytes("SIZE", "logBytes"),
            Column.of("BEHIND", "followedLag"),
            new Column(
                    "OUT-OF-SYNC",
                    topic -> Long.toString(topic.path("partitions")
                            .valueStream()
                            .mapToLong(each -> each.path("replicas").asLong(0)
                                    - each.path("inSyncReplicas").asLong(0))
                            .sum())));
    private static final List<Column> TRANSACTIONS = List.of(
            Column.of("TOPIC", "topic"),
            Column.of("PARTITION", "partition"),
            Column.of("OFFSET", "firstOffset"),
            Column.of("PRODUCER", "producerId"),
            Column.of("EPOCH", "producerEpoch"),
            Column.of("TRANSACTIONAL-ID", "transactionalId"),
            Column.lower("OUTCOME", "outcome"),
            Column.of("PROBLEM", "problem"));
    private static final Column LIMIT = Column.bytes("LIMIT", "maximumBytes");
    private static final List<Column> SERVERS = List.of(
            Column.of("SERVER", "address"),
            Column.of("VERSION", "version"),
            Column.lower("ROLE", "role"),
            Column.bytes("USED", "usedBytes"),
            new Column(
                    "LIMIT",
                    server -> server.path("maximumBytes").asLong(0) == 0
                            ? "none"
                            : LIMIT.text().apply(server)),
            Column.of("KEYS", "keys"),
            Column.of("REPLICAS", "replicas"));

    private StoreCommands() {}

    @Command(
            name = "kafka",
            description =
                    "Lists the topics that all clients share: messages in them and open commits, size of one replica,"
                            + " and replicas that are not in sync.")
    void kafka(@Mixin ListOptions list, @Mixin OrderOption order) {
        list.print(ApiPath.of("stores/kafka/topics").with("sort", order.ofDefault("name")), TOPICS);
    }

    @Command(
            name = "transactions",
            description = "Lists the transactions whose marker Kafka has lost in a partition. Its readers stop there.")
    void transactions(@Mixin ListOptions list, @Mixin OrderOption order) {
        list.print(ApiPath.of("stores/kafka/transactions").with("sort", order.ofDefault("partition")), TRANSACTIONS);
    }

    @Command(
            name = "end-transaction",
            description =
                    "Writes the missing marker of a hanging transaction, as its coordinator decided. If that is not"
                            + " proven, --outcome is required; aborted discards the records of the transaction.")
    void endTransaction(
            @Mixin OutputOptions output,
            @Parameters(paramLabel = "TOPIC") String topic,
            @Parameters(paramLabel = "PARTITION") int partition,
            @Parameters(paramLabel = "PRODUCER-ID") long producerId,
            @Option(names = "--outcome", paramLabel = "OUTCOME", description = "committed or aborted") @Nullable
                    String outcome) {
        Body body = Body.empty()
                .with("topic", topic)
                .with("partition", partition)
                .with("producerId", producerId)
                .withUpper("outcome", outcome);
        output.print(
                node -> node.post(ApiPath.of("stores/kafka/transactions/end"), body),
                _ -> "The marker is written; readers of " + topic + "-" + partition + " continue");
    }

    @Command(name = "redis", description = "Lists the servers of Redis and their memory. A limit of 0 B is none.")
    void redis(@Mixin ListOptions list, @Mixin OrderOption order) {
        list.print(ApiPath.of("stores/redis/servers").with("sort", order.ofDefault("address")), SERVERS);
    }
}

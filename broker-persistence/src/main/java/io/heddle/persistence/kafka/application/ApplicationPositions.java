package io.heddle.persistence.kafka.application;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.LogExtent;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.read.LogSizes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Asks Kafka for positions in the topics of APPLICATION clients and for their sizes. Thread-safe, never blocks. */
final class ApplicationPositions {
    private static final int TIMEOUT_MILLIS = 5_000;

    private final Admin admin;
    private final LogSizes sizes;

    ApplicationPositions(Admin admin) {
        this.admin = admin;
        this.sizes = new LogSizes(admin);
    }

    private static TopicPartition partition(ClientId clientId) {
        return new TopicPartition(KafkaTopics.application(clientId), 0);
    }

    /** Returns the extents of some topics, without those that do not exist. */
    CompletionStage<Map<ClientId, LogExtent>> extents(Collection<ClientId> clientIds) {
        List<ClientId> clients = List.copyOf(clientIds);
        List<TopicPartition> partitions =
                clients.stream().map(ApplicationPositions::partition).toList();
        CompletableFuture<List<@Nullable Long>> firsts = offsets(partitions, OffsetSpec.earliest());
        CompletableFuture<List<@Nullable Long>> ends = offsets(partitions, OffsetSpec.latest());
        CompletionStage<List<Long>> bytes = sizes.of(partitions)
                .exceptionally(
                        _ -> partitions.stream().map(_ -> LogExtent.UNKNOWN).toList());
        return firsts.thenCombine(ends, (from, to) -> extents(clients, from, to))
                .thenCombine(bytes, (extents, ofPartitions) -> {
                    for (int i = 0; i < clients.size(); i++) {
                        long size = ofPartitions.get(i);
                        extents.computeIfPresent(
                                clients.get(i), (_, extent) -> new LogExtent(extent.first(), extent.end(), size));
                    }
                    return extents;
                });
    }

    private static Map<ClientId, LogExtent> extents(
            List<ClientId> clients, List<@Nullable Long> firsts, List<@Nullable Long> ends) {
        Map<ClientId, LogExtent> extents = new HashMap<>();
        for (int i = 0; i < clients.size(); i++) {
            Long first = firsts.get(i);
            Long end = ends.get(i);
            if (first != null && end != null) {
                extents.put(clients.get(i), new LogExtent(first, end, LogExtent.UNKNOWN));
            }
        }
        return extents;
    }

    /** Returns the offset of a position, between the beginning of the topic and its last stable offset. */
    CompletionStage<Long> find(ClientId clientId, LogPosition position) {
        CompletableFuture<Long> first = offset(clientId, OffsetSpec.earliest());
        CompletableFuture<Long> end = offset(clientId, OffsetSpec.latest());
        return switch (position) {
            case LogPosition.Beginning _ -> first;
            case LogPosition.End _ -> end;
            case LogPosition.Sequence(long sequence) ->
                first.thenCombine(end, (from, to) -> Math.clamp(sequence, from, Math.max(from, to)));
            case LogPosition.Since(long millis) ->
                offset(clientId, OffsetSpec.forTimestamp(millis))
                        .thenCombine(end, (found, to) -> found < 0 ? to : Math.min(found, to));
        };
    }

    private CompletableFuture<Long> offset(ClientId clientId, OffsetSpec spec) {
        return offsets(List.of(partition(clientId)), spec).thenApply(found -> {
            Long offset = found.getFirst();
            if (offset == null) {
                throw StoreUnavailableException.kafka(
                        "Kafka has no topic " + partition(clientId).topic(), null);
            }
            return offset;
        });
    }

    /** Returns the offset of each partition, below which no transaction is open; null for a topic that does not exist. */
    private CompletableFuture<List<@Nullable Long>> offsets(List<TopicPartition> partitions, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(partition -> wanted.put(partition, spec));
        ListOffsetsResult result = admin.listOffsets(
                wanted, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED).timeoutMs(TIMEOUT_MILLIS));
        List<CompletableFuture<@Nullable Long>> each = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            each.add(result.partitionResult(partition)
                    .toCompletionStage()
                    .handle(ApplicationPositions::found)
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> {
                    List<@Nullable Long> found = new ArrayList<>();
                    each.forEach(one -> found.add(one.resultNow()));
                    return found;
                });
    }

    private static @Nullable Long found(@Nullable ListOffsetsResultInfo info, @Nullable Throwable failure) {
        if (info != null) {
            return info.offset();
        }
        if (failure instanceof UnknownTopicOrPartitionException) {
            return null;
        }
        throw StoreUnavailableException.kafka("Kafka did not list the offsets of APPLICATION clients", failure);
    }
}

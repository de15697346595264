package io.heddle.persistence.kafka.read;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.TopicState;
import io.heddle.persistence.kafka.KafkaTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** Describes the topics in Kafka. Thread-safe; blocks its callers. */
public final class KafkaLogServers implements LogServers {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Supplier<Admin> admin;
    private final Supplier<Map<String, Long>> followedLag;

    /**
     * @param admin the client, which is open while the node runs
     * @param followedLag the number of records that the node has not read yet, by the name of the topic
     */
    public KafkaLogServers(Supplier<Admin> admin, Supplier<Map<String, Long>> followedLag) {
        this.admin = admin;
        this.followedLag = followedLag;
    }

    @Override
    public List<TopicState> topics() {
        Admin client = admin.get();
        List<TopicDescription> topics = List.copyOf(new TreeMap<>(await(client.describeTopics(KafkaTopics.shared())
                        .allTopicNames()
                        .toCompletionStage()))
                .values());
        List<TopicPartition> partitions = partitions(topics);
        LogOffsets offsets = new LogOffsets(client);
        CompletionStage<List<Long>> sizes = new LogSizes(client)
                .of(partitions)
                .exceptionally(
                        _ -> partitions.stream().map(_ -> TopicState.UNKNOWN).toList());
        List<Long> firsts = await(offsets.beginnings(partitions));
        List<Long> ends = await(offsets.ends(partitions));
        List<Long> bytes = await(sizes);
        Map<String, Long> lag = followedLag.get();
        List<TopicState> states = new ArrayList<>();
        int next = 0;
        for (TopicDescription topic : topics) {
            List<TopicState.Partition> ofTopic = new ArrayList<>();
            for (TopicPartitionInfo each : topic.partitions()) {
                ofTopic.add(new TopicState.Partition(
                        each.partition(),
                        firsts.get(next),
                        ends.get(next),
                        bytes.get(next),
                        each.replicas().size(),
                        each.isr().size()));
                next++;
            }
            states.add(new TopicState(topic.name(), ofTopic, lag.getOrDefault(topic.name(), TopicState.NOT_FOLLOWED)));
        }
        return states;
    }

    private static List<TopicPartition> partitions(Collection<TopicDescription> topics) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (TopicDescription topic : topics) {
            topic.partitions().forEach(each -> partitions.add(new TopicPartition(topic.name(), each.partition())));
        }
        return partitions;
    }

    private static <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw StoreUnavailableException.kafka("Kafka did not describe its topics", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("the wait for Kafka was interrupted", e);
        }
    }
}

package io.heddle.persistence.kafka.log;

import io.heddle.core.changelog.LogFollower;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.append.KafkaProducers;
import io.heddle.persistence.kafka.read.TopicFollowers;
import io.heddle.persistence.record.ClientFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The persistent sessions and their subscriptions in a compacted topic, whose partitions are the buckets. Thread-safe. */
final class KafkaClientLog implements ClientLog {
    private final int bucketCount;
    private final KafkaProducers producers;
    private final TopicFollowers followers;

    KafkaClientLog(int bucketCount, KafkaProducers producers, TopicFollowers followers) {
        this.bucketCount = bucketCount;
        this.producers = producers;
        this.followers = followers;
    }

    @Override
    public CompletionStage<Long> commit(int bucket, List<ClientChange> changes) {
        if (bucket < 0 || bucket >= bucketCount) {
            throw new IllegalArgumentException("bucket " + bucket + " does not exist");
        }
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(changes.size());
        for (ClientChange change : changes) {
            records.add(new ProducerRecord<>(
                    KafkaTopics.CLIENTS, bucket, ClientFormat.key(change), ClientFormat.value(change)));
        }
        return producers.commitState(records);
    }

    @Override
    public void follow(LogFollower<ClientChange> follower) {
        followers.follow(KafkaTopics.CLIENTS, bucketCount, (key, value, _) -> ClientFormat.read(key, value), follower);
    }

    @Override
    public CompletionStage<List<Long>> ends() {
        return followers.ends(KafkaTopics.CLIENTS, bucketCount);
    }
}

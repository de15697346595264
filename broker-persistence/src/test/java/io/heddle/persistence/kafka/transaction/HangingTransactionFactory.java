package io.heddle.persistence.kafka.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.operator.store.LogPartition;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.transaction.TransactionRecord.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.ByteUtils;

/**
 * Makes transactions hang. Kafka loses a marker only while a partition has no leader for some milliseconds, so this writes what is left then: records of
 * a transaction to the partition, and the transaction's end to the log of the coordinators. Kafka accepts both while it does not ask the coordinator
 * about records of transactions.
 */
public final class HangingTransactionFactory {
    /** Kafka's own name for clients that may write to its topics. */
    private static final String INTERNAL_CLIENT = "__admin_client";

    private static final Duration APPLIED_WITHIN = Duration.ofSeconds(30);
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final short FLEXIBLE_VERSION = 1;

    private final KafkaCluster cluster;
    private final Producer<byte[], byte[]> internal;

    public HangingTransactionFactory(KafkaCluster cluster) throws Exception {
        this.cluster = cluster;
        this.internal = new KafkaProducer<>(
                cluster.settings().clientProperties(INTERNAL_CLIENT),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        verifyTransactions(false);
    }

    private void verifyTransactions(boolean isVerifying) throws Exception {
        ConfigEntry entry = new ConfigEntry("transaction.partition.verification.enable", Boolean.toString(isVerifying));
        cluster.admin()
                .incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, ""),
                        List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    /** Writes a record of a transaction to a partition, with its value as the key, which compacted topics need. */
    public void append(LogPartition partition, long producerId, int epoch, byte[] value) throws Exception {
        Admin admin = cluster.admin();
        var topic = admin.describeTopics(List.of(partition.topic()))
                .allTopicNames()
                .get()
                .values()
                .iterator()
                .next();
        Node leader = topic.partitions().get(partition.partition()).leader();
        // The broker reads the setting a moment after the controller has accepted it; until then it refuses the record.
        await().atMost(APPLIED_WITHIN)
                .until(
                        () -> errors(leader, partition, topic.topicId(), producerId, epoch, value),
                        errors -> !errors.contains(Errors.INVALID_PRODUCER_ID_MAPPING.code()));
    }

    /** Sends the record, and returns its errors, of which only that of a coordinator that does not know the producer is allowed. */
    private List<Short> errors(
            Node leader, LogPartition partition, Uuid topicId, long producerId, int epoch, byte[] value)
            throws Exception {
        MemoryRecords records = MemoryRecords.withTransactionalRecords(
                Compression.NONE,
                producerId,
                (short) epoch,
                0,
                new SimpleRecord(System.currentTimeMillis(), value, value));
        ProduceResponse response = (ProduceResponse) new NodeRequests(cluster.settings())
                .send(leader, ProduceRequest.builder(request(partition, topicId, records), true));
        List<Short> errors = response.data().responses().iterator().next().partitionResponses().stream()
                .map(ProduceResponseData.PartitionProduceResponse::errorCode)
                .filter(code -> code != Errors.NONE.code())
                .toList();
        assertThat(errors).isSubsetOf(Errors.INVALID_PRODUCER_ID_MAPPING.code());
        return errors;
    }

    private static ProduceRequestData request(LogPartition partition, Uuid topicId, MemoryRecords records) {
        ProduceRequestData.TopicProduceData topic = new ProduceRequestData.TopicProduceData()
                .setName(partition.topic())
                .setTopicId(topicId)
                .setPartitionData(List.of(new ProduceRequestData.PartitionProduceData()
                        .setIndex(partition.partition())
                        .setRecords(records)));
        return new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(10_000)
                .setTransactionalId("heddle-test")
                .setTopicData(new ProduceRequestData.TopicProduceDataCollection(
                        List.of(topic).iterator()));
    }

    /** Completes a transaction that has no partition of a bucket, and returns its producer. */
    public long completed(String transactionalId) throws Exception {
        Map<String, Object> settings = cluster.settings().clientProperties("test");
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(KafkaTopics.DEAD_LETTERS, new byte[1]))
                    .get();
            producer.commitTransaction();
        }
        return cluster.admin()
                .describeTransactions(List.of(transactionalId))
                .description(transactionalId)
                .get()
                .producerId();
    }

    /** Writes what the coordinator writes when a producer with the epoch 0 adds a partition to its transaction. */
    void begin(String transactionalId, LogPartition partition, long producerId) throws Exception {
        record(transactionalId, producerId, 0, Status.ONGOING, List.of(partition));
    }

    /** Writes what the coordinator writes about a transaction of a partition with the epoch 0. */
    public void end(String transactionalId, LogPartition partition, long producerId, boolean isCommitted)
            throws Exception {
        begin(transactionalId, partition, producerId);
        record(
                transactionalId,
                producerId,
                1,
                isCommitted ? Status.PREPARE_COMMIT : Status.PREPARE_ABORT,
                List.of(partition));
        record(transactionalId, producerId, 1, isCommitted ? Status.COMPLETE_COMMIT : Status.COMPLETE_ABORT, List.of());
    }

    private void record(
            String transactionalId, long producerId, int epoch, Status status, List<LogPartition> partitions)
            throws Exception {
        byte[] id = transactionalId.getBytes(StandardCharsets.UTF_8);
        ByteBuffer key = ByteBuffer.allocate(2 * Short.BYTES + id.length)
                .putShort((short) 0)
                .putShort((short) id.length)
                .put(id);
        ByteBuffer value = ByteBuffer.allocate(1_000)
                .putShort(FLEXIBLE_VERSION)
                .putLong(producerId)
                .putShort((short) epoch)
                .putInt(TIMEOUT_MILLIS)
                .put(status.id());
        ByteUtils.writeUnsignedVarint(partitions.size() + 1, value);
        for (LogPartition each : partitions) {
            byte[] topic = each.topic().getBytes(StandardCharsets.UTF_8);
            ByteUtils.writeUnsignedVarint(topic.length + 1, value);
            value.put(topic);
            ByteUtils.writeUnsignedVarint(2, value);
            value.putInt(each.partition());
            ByteUtils.writeUnsignedVarint(0, value);
        }
        long now = System.currentTimeMillis();
        value.putLong(now).putLong(now);
        // The version of transactions, 2, in the tagged field 2.
        ByteUtils.writeUnsignedVarint(1, value);
        ByteUtils.writeUnsignedVarint(2, value);
        ByteUtils.writeUnsignedVarint(Short.BYTES, value);
        value.putShort((short) 2);
        byte[] bytes = new byte[value.position()];
        value.flip().get(bytes);
        internal.send(new ProducerRecord<>("__transaction_state", 0, key.array(), bytes))
                .get();
    }

    public void close() throws Exception {
        internal.close();
        verifyTransactions(true);
    }
}

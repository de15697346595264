package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.standalone.testkit.TestServers;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Values that each server has acknowledged, and that are looked up later. */
final class KeptData {
    private static final String NAME = "kept";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final TopicPartition PARTITION = new TopicPartition(NAME, 0);

    private final Endpoints endpoints;

    KeptData(Endpoints endpoints) {
        this.endpoints = endpoints;
    }

    /** Creates a topic, with the replication factor of the servers, and a table. */
    void create() throws Exception {
        createTopic();
        try (Connection connection = postgres();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + NAME + " (entry text)");
        }
    }

    void createTopic() throws Exception {
        try (Admin admin = Admin.create(TestServers.kafkaClient(endpoints, Map.of()))) {
            admin.createTopics(List.of(new NewTopic(NAME, Optional.of(1), Optional.empty())))
                    .all()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    void write(String value) throws Exception {
        writeKafka(value);
        writeRedis(value);
        writePostgres(value);
    }

    void assertHolds(String... values) throws Exception {
        assertThat(kafka()).as("Kafka").contains(values);
        assertThat(redisHolds(values)).as("Redis").isTrue();
        assertThat(postgresEntries()).as("PostgreSQL").contains(values);
    }

    void writeKafka(String value) throws Exception {
        Map<String, Object> settings = TestServers.kafkaClient(endpoints, Map.of("acks", "all", "linger.ms", 0));
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(NAME, value)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Returns the epoch of the leader that wrote the last record. */
    int kafkaLeaderEpoch() throws Exception {
        try (Admin admin = Admin.create(TestServers.kafkaClient(endpoints, Map.of()))) {
            return admin.listOffsets(Map.of(PARTITION, OffsetSpec.latest()))
                    .partitionResult(PARTITION)
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .leaderEpoch()
                    .orElseThrow();
        }
    }

    /** Returns how long Kafka's controller waits for heartbeats of a broker. */
    Duration kafkaSession() throws Exception {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "0");
        try (Admin admin = Admin.create(TestServers.kafkaClient(endpoints, Map.of()))) {
            Config config = admin.describeConfigs(List.of(broker))
                    .values()
                    .getOrDefault(broker, KafkaFuture.completedFuture(new Config(List.of())))
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return Duration.ofMillis(
                    Long.parseLong(config.get("broker.session.timeout.ms").value()));
        }
    }

    Set<String> kafka() {
        return kafkaWithin(PATIENCE);
    }

    Set<String> kafkaWithin(Duration patience) {
        Map<String, Object> settings = TestServers.kafkaClient(endpoints, Map.of());
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            long end = consumer.endOffsets(List.of(PARTITION), patience).getOrDefault(PARTITION, 0L);
            Set<String> values = new HashSet<>();
            while (consumer.position(PARTITION, patience) < end) {
                consumer.poll(patience).forEach(one -> values.add(one.value()));
            }
            return values;
        }
    }

    void writeRedis(String value) throws Exception {
        try (RedisConnection redis = redis()) {
            assertThat(redis.execute("SADD", NAME, value)).isEqualTo("1");
        }
    }

    boolean redisHolds(String... values) throws Exception {
        try (RedisConnection redis = redis()) {
            for (String value : values) {
                if (!redis.execute("SISMEMBER", NAME, value).equals("1")) {
                    return false;
                }
            }
            return true;
        }
    }

    private RedisConnection redis() throws Exception {
        URI url = URI.create(endpoints.redisUrls().getFirst());
        return RedisConnection.open(url.getPort(), url.getUserInfo().substring(1), PATIENCE);
    }

    void writePostgres(String value) throws Exception {
        try (Connection connection = postgres();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("INSERT INTO " + NAME + " VALUES ('" + value + "')"))
                    .isEqualTo(1);
        }
    }

    Set<String> postgresEntries() throws Exception {
        try (Connection connection = postgres();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT entry FROM " + NAME)) {
            Set<String> values = new HashSet<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    private Connection postgres() throws Exception {
        return DriverManager.getConnection(
                endpoints.postgresUrl(), endpoints.postgresUser(), endpoints.postgresPassword());
    }
}

package io.heddle.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Values in Kafka, Redis and PostgreSQL, which must survive restarts and crashes. */
final class StoredValues {
    private static final String NAME = "launcher_values";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Endpoints endpoints;
    private final List<String> written = new ArrayList<>();

    StoredValues(Endpoints endpoints) {
        this.endpoints = endpoints;
    }

    /** Prepares new servers; called once. */
    void prepare() throws Exception {
        try (Admin admin = Admin.create(TestServers.kafkaClient(endpoints, Map.of()))) {
            admin.createTopics(List.of(new NewTopic(NAME, 1, (short) 1)))
                    .all()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        try (Connection connection = postgres();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + NAME + " (position serial, value text)");
        }
    }

    /** Writes a value; returns when all three servers have acknowledged it. */
    void write(String value) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                TestServers.kafkaClient(endpoints, Map.of("acks", "all")),
                new StringSerializer(),
                new StringSerializer())) {
            producer.send(new ProducerRecord<>(NAME, value)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        redis(commands -> commands.rpush(NAME, value));
        try (Connection connection = postgres();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO " + NAME + " (value) VALUES (?)")) {
            insert.setString(1, value);
            insert.executeUpdate();
        }
        written.add(value);
    }

    /** Asserts that all values are there, once each and in order. */
    void assertAllStored() throws SQLException {
        assertThat(inKafka()).as("Kafka").isEqualTo(written);
        List<String> inRedis = redis(commands -> commands.lrange(NAME, 0, -1));
        assertThat(inRedis).as("Redis").isEqualTo(written);
        assertThat(inPostgres()).as("PostgreSQL").isEqualTo(written);
    }

    private List<String> inKafka() {
        TopicPartition partition = new TopicPartition(NAME, 0);
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                TestServers.kafkaClient(endpoints, Map.of("enable.auto.commit", "false")),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition), PATIENCE).getOrDefault(partition, 0L);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (consumer.position(partition, PATIENCE) < end && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200)).forEach(each -> values.add(each.value()));
            }
        }
        return values;
    }

    private <T> T redis(Function<RedisCommands<String, String>, T> action) {
        try (RedisClient client = RedisClient.create(endpoints.redisUrl())) {
            return action.apply(client.connect().sync());
        }
    }

    private List<String> inPostgres() throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = postgres();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT value FROM " + NAME + " ORDER BY position")) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    private Connection postgres() throws SQLException {
        return DriverManager.getConnection(
                endpoints.postgresUrl(), endpoints.postgresUser(), endpoints.postgresPassword());
    }
}

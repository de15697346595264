package io.heddle.standalone;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Where the servers are and how to log in. A server that was not asked for has an empty string.
 *
 * @param kafkaBootstrapServers {@code host:port}, several separated by commas
 * @param kafkaPassword of the account that {@link #kafkaSecurity} logs in with; empty when Kafka asks for none
 * @param redisUrl {@code redis://:password@host:port}; the masters of a Redis Cluster as several such URLs separated by commas
 * @param postgresUrl {@code jdbc:postgresql://host:port/database}, without user and password
 * @param postgresUser owner of the database
 * @param postgresPassword that user's password
 */
public record Endpoints(
        String kafkaBootstrapServers,
        String kafkaPassword,
        String redisUrl,
        String postgresUrl,
        String postgresUser,
        String postgresPassword) {

    /** One URL per Redis node. */
    public List<String> redisUrls() {
        return redisUrl.isEmpty() ? List.of() : List.of(redisUrl.split(",", -1));
    }

    /** The settings by which a client of Kafka logs in; empty when it need not. */
    public Map<String, String> kafkaSecurity() {
        return kafkaPassword.isEmpty() ? Map.of() : KafkaAccount.clientSettings(kafkaPassword);
    }

    Properties toProperties() {
        Properties properties = new Properties();
        properties.setProperty("kafka", kafkaBootstrapServers);
        properties.setProperty("kafka.password", kafkaPassword);
        properties.setProperty("redis", redisUrl);
        properties.setProperty("postgresql.url", postgresUrl);
        properties.setProperty("postgresql.user", postgresUser);
        properties.setProperty("postgresql.password", postgresPassword);
        return properties;
    }

    /** Null when one of them is missing. */
    static @Nullable Endpoints fromProperties(Properties properties) {
        String kafka = properties.getProperty("kafka");
        String redis = properties.getProperty("redis");
        String url = properties.getProperty("postgresql.url");
        String user = properties.getProperty("postgresql.user");
        String password = properties.getProperty("postgresql.password");
        if (kafka == null || redis == null || url == null || user == null || password == null) {
            return null;
        }
        return new Endpoints(kafka, properties.getProperty("kafka.password", ""), redis, url, user, password);
    }

    /** Without the passwords, so that it may be logged. */
    @Override
    public String toString() {
        return "Endpoints[kafka=" + kafkaBootstrapServers + ", redis=" + redisUrl.replaceAll("//:[^@]*@", "//:***@")
                + ", postgresql=" + postgresUrl + ", user=" + postgresUser + "]";
    }
}

package io.heddle.standalone;

import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Where the servers are and how to log in. A server that was not asked for has an empty string.
 *
 * @param kafkaBootstrapServers {@code host:port}, several separated by commas
 * @param redisUrl {@code redis://:password@host:port}; the masters of a Redis Cluster as several such URLs separated by commas
 * @param postgresUrl {@code jdbc:postgresql://host:port/database}, without user and password
 * @param postgresUser owner of the database
 * @param postgresPassword that user's password
 */
public record Endpoints(
        String kafkaBootstrapServers,
        String redisUrl,
        String postgresUrl,
        String postgresUser,
        String postgresPassword) {

    /** One URL per Redis node. */
    public List<String> redisUrls() {
        return redisUrl.isEmpty() ? List.of() : List.of(redisUrl.split(",", -1));
    }

    Properties toProperties() {
        Properties properties = new Properties();
        properties.setProperty("kafka", kafkaBootstrapServers);
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
        return new Endpoints(kafka, redis, url, user, password);
    }

    /** Without the passwords, so that it may be logged. */
    @Override
    public String toString() {
        return "Endpoints[kafka=" + kafkaBootstrapServers + ", redis=" + redisUrl.replaceAll("//:[^@]*@", "//:***@")
                + ", postgresql=" + postgresUrl + ", user=" + postgresUser + "]";
    }
}

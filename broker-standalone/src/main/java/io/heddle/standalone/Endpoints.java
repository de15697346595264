package io.heddle.standalone;

import java.util.List;
import java.util.Map;

/**
 * The addresses and credentials of the servers. A server that was not requested has empty strings.
 *
 * @param kafkaBootstrapServers {@code host:port}, several separated by commas
 * @param kafkaPassword the password of the account in {@link #kafkaSecurity}; empty if Kafka requires no authentication
 * @param redisUrl {@code redis://:password@host:port}; for a Redis Cluster, the URLs of its masters separated by commas
 * @param postgresUrl {@code jdbc:postgresql://host:port/database}, without user and password
 * @param postgresUser the owner of the database
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

    /** The settings with which a Kafka client authenticates; empty if Kafka requires no authentication. */
    public Map<String, String> kafkaSecurity() {
        return kafkaPassword.isEmpty() ? Map.of() : KafkaAccount.clientSettings(kafkaPassword);
    }

    /** Without passwords, safe to log. */
    @Override
    public String toString() {
        return "Endpoints[kafka=" + kafkaBootstrapServers + ", redis=" + redisUrl.replaceAll("//:[^@]*@", "//:***@")
                + ", postgresql=" + postgresUrl + ", user=" + postgresUser + "]";
    }
}

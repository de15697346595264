package io.heddle.standalone.testkit;

import io.heddle.standalone.Endpoints;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** The servers as containers of pinned images. Testcontainers removes them after the JVM has exited. */
final class ContainerServers {
    private static final DockerImageName KAFKA = DockerImageName.parse("apache/kafka:4.3.1");
    private static final DockerImageName REDIS = DockerImageName.parse("redis:7.4.2");
    private static final DockerImageName POSTGRESQL = DockerImageName.parse("postgres:18.1");
    private static final int REDIS_PORT = 6379;
    private static final String PASSWORD = "heddle-test";

    private ContainerServers() {}

    static Endpoints start() {
        // Not closed here: they run until the JVM exits.
        KafkaContainer kafka = new KafkaContainer(KAFKA);
        GenericContainer<?> redis = new GenericContainer<>(REDIS)
                .withCommand("redis-server", "--requirepass", PASSWORD, "--appendonly", "yes")
                .withExposedPorts(REDIS_PORT);
        PostgreSQLContainer postgres = new PostgreSQLContainer(POSTGRESQL)
                .withDatabaseName("heddle")
                .withUsername("heddle")
                .withPassword(PASSWORD);
        kafka.start();
        redis.start();
        postgres.start();
        return new Endpoints(
                kafka.getBootstrapServers(),
                "",
                "redis://:" + PASSWORD + "@" + redis.getHost() + ":" + redis.getMappedPort(REDIS_PORT),
                postgres.getJdbcUrl(),
                postgres.getUsername(),
                postgres.getPassword());
    }
}

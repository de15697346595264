package io.heddle.standalone;

import io.heddle.standalone.directory.DataDirectory;
import io.heddle.standalone.directory.Secrets;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The processes of one start with their ports and passwords.
 *
 * @param servers all processes, Kafka's first
 * @param redis the Redis processes among them
 */
record ServerPlan(Endpoints endpoints, List<ServerNode> servers, List<RedisProcess> redis) {

    /**
     * The options of a start that the plan depends on.
     *
     * @param advertisedHost of all Kafka nodes
     * @param advertisedPorts one per Kafka node; empty if each node advertises its own port
     */
    record Request(
            Set<Server> wanted,
            int kafkaNodes,
            int redisNodes,
            String advertisedHost,
            List<Integer> advertisedPorts,
            Tuning tuning) {}

    /** Reuses ports and passwords of earlier starts, and stores new ones. */
    static ServerPlan create(Request request, DataDirectory data, StandaloneHome home, Binaries binaries)
            throws IOException {
        SecureRandom random = new SecureRandom();
        Secrets secrets = Secrets.loadOrGenerate(data.path().resolve(DataDirectory.SECRETS), random);
        Ports ports = Ports.load(data.path().resolve("ports.properties"), random);

        List<KafkaProcess> kafka = List.of();
        String kafkaUrl = "";
        if (request.wanted().contains(Server.KAFKA)) {
            ports.requireNodes(Server.KAFKA, request.kafkaNodes());
            List<KafkaProcess.Listeners> listeners = IntStream.range(0, request.kafkaNodes())
                    .mapToObj(node -> listeners(node, request, ports))
                    .toList();
            kafka = IntStream.range(0, request.kafkaNodes())
                    .mapToObj(node -> new KafkaProcess(
                            node,
                            listeners,
                            secrets.kafkaClusterId(),
                            secrets.kafkaPassword(),
                            home,
                            data,
                            request.tuning()))
                    .toList();
            kafkaUrl =
                    listeners.stream().map(one -> "127.0.0.1:" + one.broker()).collect(Collectors.joining(","));
        }

        List<RedisProcess> redis = List.of();
        String redisUrl = "";
        if (request.wanted().contains(Server.REDIS)) {
            ports.requireNodes(Server.REDIS, request.redisNodes());
            boolean cluster = request.redisNodes() > 1;
            redis = IntStream.range(0, request.redisNodes())
                    .mapToObj(node -> new RedisProcess(
                            node,
                            cluster ? ports.portWithClusterBus("redis." + node) : ports.port("redis." + node),
                            cluster,
                            secrets.redisPassword(),
                            binaries.redisServer(),
                            data))
                    .toList();
            redisUrl = redis.stream()
                    .map(node -> "redis://:" + secrets.redisPassword() + "@127.0.0.1:" + node.port())
                    .collect(Collectors.joining(","));
        }

        List<ServerNode> servers = new ArrayList<>(kafka);
        servers.addAll(redis);
        String postgresUrl = "";
        if (request.wanted().contains(Server.POSTGRESQL)) {
            int port = ports.port("postgresql.0");
            servers.add(new PostgresProcess(
                    port, secrets.postgresPassword(), binaries.postgresql().resolve("bin"), data, request.tuning()));
            postgresUrl = "jdbc:postgresql://127.0.0.1:" + port + "/" + PostgresProcess.DATABASE;
        }
        ports.save();
        Endpoints endpoints = new Endpoints(
                kafkaUrl,
                kafkaUrl.isEmpty() ? "" : secrets.kafkaPassword(),
                redisUrl,
                postgresUrl,
                PostgresProcess.USER,
                secrets.postgresPassword());
        return new ServerPlan(endpoints, List.copyOf(servers), redis);
    }

    private static KafkaProcess.Listeners listeners(int node, Request request, Ports ports) {
        String name = "kafka." + node;
        int broker = ports.port(name);
        int advertised = request.advertisedPorts().isEmpty()
                ? broker
                : request.advertisedPorts().get(node);
        return new KafkaProcess.Listeners(
                broker,
                request.advertisedHost() + ":" + advertised,
                ports.port(name + ".internal"),
                ports.port(name + ".controller"));
    }
}

package io.heddle.standalone;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One start on paper: which processes, on which ports, with which passwords.
 *
 * @param servers all processes, Kafka's first
 * @param redis those of them that are Redis'
 */
record ServerPlan(Endpoints endpoints, List<ServerProcess> servers, List<RedisProcess> redis) {

    /**
     * What a start is asked for.
     *
     * @param advertisedPorts by Kafka node; empty when each advertises its own
     */
    record Order(Set<Server> wanted, int kafkaNodes, int redisNodes, List<Integer> advertisedPorts, Tuning tuning) {}

    /** Takes ports and passwords of earlier starts where there are any, and remembers the others. */
    static ServerPlan draw(Order order, DataDirectory data, StandaloneHome home, Binaries binaries) throws IOException {
        SecureRandom random = new SecureRandom();
        Secrets secrets = Secrets.loadOrDraw(data.path().resolve("secrets.properties"), random);
        Ports ports = Ports.load(data.path().resolve("ports.properties"), random);

        List<KafkaProcess> kafka = List.of();
        String kafkaUrl = "";
        if (order.wanted().contains(Server.KAFKA)) {
            ports.requireNodes(Server.KAFKA, order.kafkaNodes());
            List<KafkaProcess.Listeners> listeners = IntStream.range(0, order.kafkaNodes())
                    .mapToObj(node -> listeners(node, order.advertisedPorts(), ports))
                    .toList();
            kafka = IntStream.range(0, order.kafkaNodes())
                    .mapToObj(node -> new KafkaProcess(
                            node,
                            listeners,
                            secrets.kafkaClusterId(),
                            secrets.kafkaPassword(),
                            home,
                            data,
                            order.tuning()))
                    .toList();
            kafkaUrl =
                    listeners.stream().map(one -> "127.0.0.1:" + one.broker()).collect(Collectors.joining(","));
        }

        List<RedisProcess> redis = List.of();
        String redisUrl = "";
        if (order.wanted().contains(Server.REDIS)) {
            ports.requireNodes(Server.REDIS, order.redisNodes());
            boolean cluster = order.redisNodes() > 1;
            redis = IntStream.range(0, order.redisNodes())
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

        List<ServerProcess> servers = new ArrayList<>(kafka);
        servers.addAll(redis);
        String postgresUrl = "";
        if (order.wanted().contains(Server.POSTGRESQL)) {
            int port = ports.port("postgresql.0");
            servers.add(new PostgresProcess(
                    port, secrets.postgresPassword(), binaries.postgresql().resolve("bin"), data, order.tuning()));
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

    private static KafkaProcess.Listeners listeners(int node, List<Integer> advertisedPorts, Ports ports) {
        String name = "kafka." + node;
        int broker = ports.port(name);
        int advertised = advertisedPorts.isEmpty() ? broker : advertisedPorts.get(node);
        return new KafkaProcess.Listeners(
                broker, advertised, ports.port(name + ".internal"), ports.port(name + ".controller"));
    }
}

package io.heddle.app.e2e.faults;

import io.heddle.app.e2e.RedundantServers;
import io.heddle.app.e2e.Soon;
import io.heddle.app.launcher.Ended;
import io.heddle.standalone.process.SupervisedProcess;
import io.heddle.standalone.testkit.Relay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Three brokers on three Kafka nodes, three Redis masters and PostgreSQL, and the faults that happen to them. One test thread. */
final class ClusterUnderTest implements AutoCloseable {
    static final int NODES = 3;
    private static final Duration LONGEST_FAULT = Duration.ofMinutes(2);

    /** Waits until the clients are served again; called between the halves of a fault. */
    @FunctionalInterface
    interface Recovery {
        void await() throws Exception;
    }

    private final RedundantServers servers;
    private final Duration lease;
    private final List<BrokerNode> brokers = new CopyOnWriteArrayList<>();

    private String administratorPassword = "";

    private ClusterUnderTest(RedundantServers servers, Duration lease) {
        this.servers = servers;
        this.lease = lease;
    }

    static ClusterUnderTest start(Path directory, Duration lease) throws Exception {
        ClusterUnderTest cluster = new ClusterUnderTest(RedundantServers.start(directory, RoadToKafka.HOST), lease);
        boolean complete = false;
        try {
            for (int i = 1; i <= NODES; i++) {
                String id = "faults-" + i;
                BrokerNode broker = new BrokerNode(
                        id,
                        cluster.servers,
                        RoadToKafka.open(directory, i, cluster.servers.kafkaPorts()),
                        LinkRoads.open(others(id), cluster::processes),
                        // A broker that starts again may meet a busy machine.
                        "--heddle.kafka.connect-timeout=60s",
                        "--heddle.redis.connect-timeout=60s",
                        "--heddle.postgres.connect-timeout=60s",
                        "--heddle.cluster.lease=" + lease.toMillis() + "ms",
                        "--heddle.cluster.heartbeat-interval=" + lease.toMillis() / 10 + "ms");
                cluster.brokers.add(broker);
            }
            BrokerNode.awaitUp(cluster.brokers);
            cluster.administratorPassword = cluster.brokers.stream()
                    .flatMap(each -> each.process().administratorPassword().stream())
                    .findFirst()
                    .orElseThrow();
            complete = true;
            return cluster;
        } finally {
            if (!complete) {
                cluster.close();
            }
        }
    }

    private static List<String> others(String id) {
        return IntStream.rangeClosed(1, NODES)
                .mapToObj(i -> "faults-" + i)
                .filter(each -> !each.equals(id))
                .toList();
    }

    /** Returns the ids of the brokers by their processes. Any thread. */
    private Map<Long, String> processes() {
        return brokers.stream().collect(Collectors.toMap(each -> each.process().pid(), BrokerNode::id));
    }

    /** Returns the ports of the brokers that listen for clients. Any thread. */
    List<Integer> ports() {
        List<Integer> ports = new ArrayList<>();
        for (BrokerNode broker : brokers) {
            broker.listening().ifPresent(ports::add);
        }
        return ports;
    }

    /**
     * Lets a fault happen and heals it.
     *
     * @param recovery called while a broker is away whose end the cluster must survive
     * @return what happened, to which process
     */
    String happen(Fault fault, Recovery recovery) throws Exception {
        BrokerNode cutFromKafkaNode = cutFromKafkaNode(fault);
        String text = happenAtOnce(fault, recovery);
        recovery.await();
        return cutFromKafkaNode == null ? text : text + replacedIfDeclaredDead(cutFromKafkaNode);
    }

    private @Nullable BrokerNode cutFromKafkaNode(Fault fault) {
        if (fault.kind() == Fault.Kind.CUT_FROM_KAFKA_NODE) {
            return target(fault);
        }
        Fault network = fault.network();
        return network != null && network.kind() == Fault.Kind.CUT_FROM_KAFKA_NODE ? after(target(fault)) : null;
    }

    /** Starts a broker again that was declared dead, because its Kafka node led {@code heddle.nodes} for about the lease. */
    private String replacedIfDeclaredDead(BrokerNode broker) throws Exception {
        if (brokers.stream().noneMatch(each -> each != broker && each.hasDeclaredDead(broker))) {
            return "";
        }
        requireOver(broker);
        startAgain(broker);
        return " and declared dead";
    }

    private String happenAtOnce(Fault fault, Recovery recovery) throws Exception {
        Fault network = fault.network();
        if (network == null) {
            return happenAlone(fault, recovery);
        }
        // Of another broker: a fault of this one heals its network.
        BrokerNode broker = after(target(fault));
        NetworkOutage outage = NetworkOutage.begin(network, broker, after(broker), lease);
        String text = happenAlone(fault, recovery);
        return text + "; " + outage.awaitHealed();
    }

    /** Returns the broker with the next number. */
    private BrokerNode after(BrokerNode broker) {
        return brokers.get((brokers.indexOf(broker) + 1) % brokers.size());
    }

    private String happenAlone(Fault fault, Recovery recovery) throws Exception {
        return switch (fault.kind()) {
            case KILL_BROKER -> {
                BrokerNode broker = target(fault);
                String text = describe(broker);
                broker.process().kill();
                broker.awaitEnd();
                recovery.await();
                startAgain(broker);
                yield text;
            }
            case STOP_BROKER -> {
                BrokerNode broker = target(fault);
                String text = describe(broker);
                broker.process().terminate();
                Ended ended = broker.awaitEnd();
                recovery.await();
                startAgain(broker);
                yield text + ", ended with " + ended.status() + " after "
                        + ended.took().toMillis() + " ms";
            }
            case FREEZE_BEYOND_LEASE -> freezeBeyondLease(fault, recovery);
            case FREEZE_BELOW_LEASE -> {
                BrokerNode broker = target(fault);
                Duration time = fault.between(lease.dividedBy(10), lease.dividedBy(2));
                freeze(broker, time);
                yield describe(broker) + " for " + time.toMillis() + " ms";
            }
            case KILL_KAFKA -> {
                SupervisedProcess node = servers.kafka().get(fault.target());
                node.crash();
                elapse(outage(fault));
                node.start();
                servers.awaitInSync();
                yield node.name() + " for " + outage(fault).toMillis() + " ms";
            }
            case FREEZE_REDIS -> {
                SupervisedProcess node = servers.redis().get(fault.target());
                node.pause();
                try {
                    elapse(outage(fault));
                } finally {
                    node.resume();
                }
                yield node.name() + " for " + outage(fault).toMillis() + " ms";
            }
            case KILL_REDIS -> {
                SupervisedProcess node = servers.redis().get(fault.target());
                node.crash();
                elapse(outage(fault));
                node.start();
                node.awaitReady(LONGEST_FAULT);
                yield node.name() + " for " + outage(fault).toMillis() + " ms";
            }
            case CUT_LINKS,
                    SILENCE_LINKS,
                    CUT_PAIR,
                    CUT_ONE_WAY,
                    SILENCE_PAIR,
                    CUT_FROM_KAFKA_NODE,
                    SILENCE_KAFKA,
                    CUT_FROM_REDIS,
                    CUT_FROM_REDIS_MASTER,
                    CUT_FROM_POSTGRES -> {
                BrokerNode broker = target(fault);
                String text = describe(broker);
                yield text + ", "
                        + NetworkOutage.begin(fault, broker, after(broker), lease)
                                .awaitHealed();
            }
            case CUT_FROM_KAFKA -> cutFromKafka(fault, recovery);
        };
    }

    private String cutFromKafka(Fault fault, Recovery recovery) throws Exception {
        BrokerNode broker = target(fault);
        String text = describe(broker);
        long declared = timesDeclaredDead(broker);
        broker.kafka().relays().forEach(Relay::cut);
        elapse(fault.between(lease, lease.multipliedBy(3)));
        awaitDeclaredDead(broker, declared);
        recovery.await();
        broker.kafka().relays().forEach(Relay::restore);
        requireOver(broker);
        startAgain(broker);
        return text;
    }

    private long timesDeclaredDead(BrokerNode broker) {
        return brokers.stream()
                .filter(each -> each != broker)
                .mapToLong(each -> each.declarationsOf(broker.id()))
                .sum();
    }

    private void awaitDeclaredDead(BrokerNode broker, long before) {
        Soon.until(LONGEST_FAULT, () -> timesDeclaredDead(broker) > before);
    }

    private static void requireOver(BrokerNode broker) throws InterruptedException {
        Ended ended = broker.awaitEnd();
        if (ended.status() != BrokerNode.NODE_IS_OVER) {
            throw new AssertionError(broker.id() + " was declared dead and ended with status " + ended.status() + ":\n"
                    + ended.output() + ended.errors());
        }
    }

    private String freezeBeyondLease(Fault fault, Recovery recovery) throws Exception {
        BrokerNode broker = target(fault);
        String text = describe(broker);
        long declared = timesDeclaredDead(broker);
        broker.process().freeze();
        try {
            elapse(fault.between(lease, lease.multipliedBy(2)));
            awaitDeclaredDead(broker, declared);
            recovery.await();
        } finally {
            broker.process().thaw();
        }
        requireOver(broker);
        startAgain(broker);
        return text;
    }

    private static void freeze(BrokerNode broker, Duration time) throws Exception {
        broker.process().freeze();
        try {
            elapse(time);
        } finally {
            broker.process().thaw();
        }
    }

    private static void startAgain(BrokerNode broker) throws Exception {
        broker.restart();
        BrokerNode.awaitUp(List.of(broker));
    }

    private static Duration outage(Fault fault) {
        return fault.between(Duration.ofSeconds(1), Duration.ofSeconds(4));
    }

    private static void elapse(Duration time) {
        long began = System.nanoTime();
        Soon.until(LONGEST_FAULT, () -> System.nanoTime() - began >= time.toNanos());
    }

    private BrokerNode target(Fault fault) {
        List<BrokerNode> candidates = brokers.stream()
                .filter(each -> !fault.prefersListening() || each.listening().isPresent())
                .toList();
        List<BrokerNode> from = candidates.isEmpty() ? brokers : candidates;
        return from.get(fault.target() % from.size());
    }

    private String describe(BrokerNode broker) {
        return broker.id()
                + (broker.listening().isPresent()
                        ? ", one of " + ports().size() + " that serve"
                        : ", which does not serve");
    }

    /** Returns the checksums of the state of each broker that serves, by its id. */
    Map<String, String> checksums() throws Exception {
        Map<String, String> checksums = new TreeMap<>();
        for (BrokerNode broker : brokers) {
            if (broker.listening().isPresent()) {
                checksums.put(broker.id(), broker.checksums(administratorPassword));
            }
        }
        return checksums;
    }

    /** Fails if a broker has ended that no fault was to end. */
    void assertAllRun() {
        for (BrokerNode broker : brokers) {
            if (!broker.process().isAlive()) {
                throw new AssertionError(broker.id() + " has ended:\n"
                        + broker.process().output() + broker.process().errors());
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            for (BrokerNode broker : brokers) {
                broker.close();
            }
        } finally {
            servers.close();
        }
    }
}

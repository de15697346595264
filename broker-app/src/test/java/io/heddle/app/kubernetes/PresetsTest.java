package io.heddle.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The presets of k8s/aws have the machines of the published load tests, and their guide computes with the measured processor time. */
class PresetsTest {
    /** Processor time of the broker, Kafka and Redis for a delivery in scenario B, in microseconds. */
    private static final double BROKER = 12.7;

    private static final double KAFKA = 2.97;
    private static final double REDIS = 5.71;
    /** Three further system calls, and a hop to another node. */
    private static final double CALLS = 9;

    private static final double HOP = 13;
    private static final double BUSY = 0.65;

    /** Heap for a persistent session, which takes 1,158 bytes of three quarters of a quarter of the heap. */
    private static final double SESSION = 1158 * 16 / 3.0;

    /** Dollars per hour: EKS, a NAT gateway, an NLB, two m7a.large; and machines. */
    private static final double BASE = 0.10 + 0.045 + 0.0225 + 2 * 0.11592;

    private static final double C7A_LARGE = 0.10264;

    @ParameterizedTest
    @CsvSource({"p2p-200k, 1, 3, 3", "p2p-400k, 2, 3, 5", "p2p-600k, 3, 3, 7", "p2p-800k, 4, 5, 9", "p2p-1m,   5, 5, 11"
    })
    void pointToPoint(String step, int brokers, int kafka, int redis) {
        Properties preset = preset(step);
        Properties cluster = cluster(step);

        assertThat(preset)
                .containsEntry("replicaCount", brokers)
                .containsEntry("resources.limits.cpu", "16")
                .containsEntry("topologySpread.host", "DoNotSchedule")
                .containsEntry("kafka.strimzi.brokers", kafka)
                .containsEntry("kafka.strimzi.controllers", 0)
                .containsEntry("redis.operator.masters", redis)
                .containsEntry("redis.operator.replicasPerMaster", 0);
        assertGroup(cluster, 0, "broker", "c7a.4xlarge", brokers);
        assertGroup(cluster, 1, "kafka", "c7a.large", kafka);
        assertGroup(cluster, 2, "redis", "c7a.large", redis);
    }

    /** The brokers, their machines, and the processors and gigabytes of heap of each. */
    @ParameterizedTest
    @CsvSource({
        "p2p-200k, 100000, 1, c7a.xlarge, 4, 3.2",
        "p2p-400k, 200000, 1, c7a.2xlarge, 8, 7.0",
        "p2p-600k, 300000, 2, c7a.2xlarge, 8, 7.0",
        "p2p-800k, 400000, 3, c7a.2xlarge, 8, 7.0",
        "p2p-1m,   500000, 3, c7a.2xlarge, 8, 7.0"
    })
    void theFewestMachinesWithRoomForTheLoad(
            String step, int deliveries, int brokers, String machine, int processors, double room) {
        double heap = heap(deliveries, brokers);

        assertThat(processors(deliveries, broker(brokers))).isLessThanOrEqualTo(brokers * processors);
        assertThat(heap).isLessThanOrEqualTo(room);
        if (brokers > 1) {
            assertThat(processors(deliveries, broker(brokers - 1))).isGreaterThan((brokers - 1) * processors);
        }
        assertThat(ProjectFiles.read("k8s/aws/README.md"))
                .contains(String.format(
                        Locale.ROOT,
                        "| %,d | %d | %.1f | %.1f | %.1f | %.1f | %.1f |",
                        deliveries,
                        brokers,
                        broker(brokers),
                        processors(deliveries, broker(brokers)),
                        heap,
                        processors(deliveries, 3 * KAFKA),
                        processors(deliveries, REDIS)));
        assertCosts(step, deliveries, brokers, machine, processors);
    }

    /** A runner for 10,000 pairs takes a tenth of a c7a.4xlarge. Heddle needs at least three Kafka nodes and three Redis masters. */
    private static void assertCosts(String step, int deliveries, int brokers, String machine, int processors) {
        Properties preset = preset(step);
        int published = 8 * number(preset, "replicaCount")
                + number(preset, "kafka.strimzi.brokers")
                + number(preset, "redis.operator.masters");
        double heddleKafka = Math.max(3, Math.ceil(processors(deliveries, 3 * KAFKA) / 2));
        double heddleRedis = Math.max(3, Math.ceil(processors(deliveries, REDIS)));

        assertThat(ProjectFiles.read("k8s/aws/README.md").lines().filter(line -> line.startsWith("| `" + step + "` |")))
                .singleElement()
                .asString()
                .contains(String.format(
                        Locale.ROOT,
                        " | %.1f + %.1f | %d × %s; %.0f; %.0f",
                        BASE + published * C7A_LARGE,
                        8 * C7A_LARGE * deliveries / 100_000,
                        brokers,
                        machine,
                        heddleKafka,
                        heddleRedis))
                .endsWith(String.format(
                        Locale.ROOT,
                        " | %.1f |",
                        BASE + (brokers * processors / 2.0 + heddleKafka + heddleRedis) * C7A_LARGE));
    }

    @ParameterizedTest
    @MethodSource("presets")
    void operatorsDoNotRunOnTheMachinesThatAreMeasured(String step) {
        Map<String, String> pods = Map.of("broker", "", "kafka", "kafka.strimzi.", "redis", "redis.operator.");
        Properties cluster = cluster(step);

        for (int i = 0; cluster.containsKey("managedNodeGroups[" + i + "].name"); i++) {
            String name = cluster.getProperty("managedNodeGroups[" + i + "].name");
            if (name.equals("other")) {
                continue;
            }
            assertThat(cluster).containsEntry("managedNodeGroups[" + i + "].taints[0].value", name);
            if (pods.containsKey(name)) {
                assertThat(preset(step))
                        .containsEntry(pods.get(name) + "nodeSelector.heddle.io/role", name)
                        .containsEntry(pods.get(name) + "tolerations[0].key", "heddle.io/role");
            }
        }
    }

    @Test
    void theLoadToleratesItsMachines() {
        assertThat(ProjectFiles.yaml("k8s/aws/load.yaml"))
                .containsEntry("spec.template.spec.tolerations[0].key", "heddle.io/role");
    }

    @Test
    void theArithmeticUsesMeasuredFigures() {
        assertThat(ProjectFiles.read("perf-tests/README.md"))
                .contains("| B saturated, 44,700/s | " + BROKER + " (", "| " + KAFKA + " (", "| " + REDIS + " (");
    }

    @ParameterizedTest
    @CsvSource({"fan-out-3m, m7a.8xlarge, 32", "fan-out-3m-16, m7a.4xlarge, 16"})
    void fanOut(String step, String machine, String processors) {
        Properties cluster = cluster(step);

        assertThat(preset(step))
                .containsEntry("replicaCount", 1)
                .containsEntry("resources.limits.cpu", processors)
                .containsEntry("kafka.strimzi.brokers", 3);
        assertGroup(cluster, 0, "broker", machine, 1);
        assertGroup(cluster, 1, "kafka", "m7a.large", 3);
    }

    @Test
    void fanIn() {
        assertThat(preset("fan-in-1m"))
                .containsEntry("replicaCount", 6)
                .containsEntry("resources.limits.cpu", "4")
                .containsEntry("kafka.existingSecret", "msk-user")
                .doesNotContainKey("kafka.strimzi.enabled");
        assertGroup(cluster("fan-in-1m"), 0, "broker", "m6a.2xlarge", 3);
    }

    @Test
    void theGuideListsAllPresets() {
        assertThat(presets()).hasSize(8);
        assertThat(ProjectFiles.read("k8s/aws/README.md"))
                .contains(presets().stream().map(step -> "| `" + step + "` |").toList());
    }

    @ParameterizedTest
    @MethodSource("presets")
    void eachPresetHasACluster(String step) {
        assertThat(cluster(step)).containsEntry("metadata.name", "heddle-" + step);
    }

    static List<String> presets() {
        return ProjectFiles.in("k8s/aws/presets", ".yaml").stream()
                .map(file -> file.substring(file.lastIndexOf('/') + 1).replace(".yaml", ""))
                .toList();
    }

    private static double broker(int brokers) {
        return BROKER + CALLS + HOP * (brokers - 1) / brokers;
    }

    /** Gigabytes: the greater of what the limit of sessions needs and of the rule of docs/operations.md. A pair is two sessions. */
    private static double heap(int pairs, int brokers) {
        int sessions = 2 * pairs;
        double rule = (sessions * 3400.0 / brokers + sessions * 750.0) * 2 + 512e6;
        return Math.max(sessions * SESSION, rule) / 1e9;
    }

    private static int number(Properties properties, String key) {
        return Integer.parseInt(String.valueOf(properties.get(key)));
    }

    private static double processors(int rate, double micros) {
        return rate * micros / 1_000_000 / BUSY;
    }

    private static void assertGroup(Properties cluster, int index, String name, String machine, int count) {
        String group = "managedNodeGroups[" + index + "].";
        assertThat(cluster)
                .containsEntry(group + "name", name)
                .containsEntry(group + "instanceType", machine)
                .containsEntry(group + "desiredCapacity", count)
                .containsEntry(group + "maxSize", count);
    }

    private static Properties preset(String step) {
        return ProjectFiles.yaml("k8s/aws/presets/" + step + ".yaml");
    }

    private static Properties cluster(String step) {
        return ProjectFiles.yaml("k8s/aws/cluster-" + step + ".yaml");
    }
}

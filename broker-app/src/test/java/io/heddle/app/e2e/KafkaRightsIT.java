package io.heddle.app.e2e;

import static io.heddle.app.e2e.KafkaWithRights.rights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.operator.store.LogPartition;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.transaction.HangingTransactionFactory;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A broker whose account has exactly the rights in Kafka that docs/cluster.md lists, and fewer. */
@Tag("ci")
final class KafkaRightsIT {
    private static final Duration READY = Duration.ofMinutes(2);
    private static final int BUCKETS = 4;

    private static final int UNAVAILABLE = 503;

    private static final List<AclBinding> NEEDED = Stream.of(
                    rights(
                            ResourceType.TOPIC,
                            "heddle.",
                            PatternType.PREFIXED,
                            AclOperation.CREATE,
                            AclOperation.DESCRIBE,
                            AclOperation.DESCRIBE_CONFIGS,
                            AclOperation.READ,
                            AclOperation.WRITE,
                            AclOperation.DELETE),
                    rights(
                            ResourceType.TRANSACTIONAL_ID,
                            "heddle-",
                            PatternType.PREFIXED,
                            AclOperation.WRITE,
                            AclOperation.DESCRIBE),
                    rights(ResourceType.GROUP, "heddle.applications", PatternType.LITERAL, AclOperation.READ),
                    rights(ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL, AclOperation.DESCRIBE))
            .flatMap(List::stream)
            .toList();
    private static final List<AclBinding> TO_READ_DECISIONS = rights(
            ResourceType.TOPIC, "__transaction_state", PatternType.LITERAL, AclOperation.READ, AclOperation.DESCRIBE);
    private static final List<AclBinding> TO_WRITE_MARKERS =
            rights(ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL, AclOperation.ALTER);

    @TempDir
    static Path directory;

    private static KafkaWithRights kafka;
    private static KafkaCluster admin;
    private static Servers servers;
    private static BrokerUnderTest broker;
    private static RestAdministrator administrator;
    private static HangingTransactionFactory factory;

    @BeforeAll
    static void start() throws Exception {
        kafka = KafkaWithRights.start(Files.createDirectory(directory.resolve("kafka")));
        servers = Servers.builder(directory.resolve("servers"))
                .only(Server.REDIS, Server.POSTGRESQL)
                .tuning(Tuning.TESTS)
                .start();
        servers.awaitReady(READY);
        admin = kafka.connect(BUCKETS);
        grant(NEEDED);
        grant(TO_READ_DECISIONS);
        grant(TO_WRITE_MARKERS);
        Endpoints others = servers.endpoints();
        broker = BrokerUnderTest.startOn(
                new Endpoints(
                        kafka.bootstrapServers(),
                        KafkaWithRights.PASSWORD,
                        others.redisUrl(),
                        others.postgresUrl(),
                        others.postgresUser(),
                        others.postgresPassword()),
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.authentication.anonymous.application-clients=app-*",
                "--heddle.applications.delete-delay=1s",
                "--heddle.buckets.count=" + BUCKETS);
        administrator = new RestAdministrator(broker);
        factory = new HangingTransactionFactory(admin);
    }

    @AfterAll
    static void stop() throws Exception {
        try {
            factory.close();
            administrator.close();
            broker.close();
            admin.close();
        } finally {
            servers.close();
            kafka.close();
        }
    }

    private static void grant(List<AclBinding> rights) throws Exception {
        admin.admin().createAcls(rights).all().get();
    }

    private static void revoke(List<AclBinding> rights) throws Exception {
        admin.admin()
                .deleteAcls(rights.stream().map(AclBinding::toFilter).toList())
                .all()
                .get();
    }

    @Test
    void clientsOfAllKindsAreServed() throws Exception {
        String topic = Library.newClientId();
        RawConnect device = new RawConnect(Library.newClientId()).persistent(3_600);
        RawConnect application = new RawConnect(Library.newClientId("app-")).persistent(3_600);
        for (RawConnect each : List.of(device, application)) {
            each.open(broker.mqttPort()).subscribe(topic, 1).leave();
        }
        broker.publish(topic, "message", 2);
        for (RawConnect each : List.of(device, application)) {
            try (RawClient back = each.open(broker.mqttPort())) {
                assertThat(back.take(1)).extracting(RawPublish::payload).containsExactly("message");
                back.leave();
            }
        }
        Soon.until(() -> broker.count("heddle.applications.offsets", "outcome", "committed") > 0);
        assertThat(topicsOfApplications()).isNotEmpty();

        new RawConnect(application.clientId()).open(broker.mqttPort()).leave();

        Soon.until(() -> topicsOfApplications().isEmpty());
        assertThat(broker.count("heddle.applications.offsets", "outcome", "failed"))
                .isZero();
        assertThat(broker.count("heddle.buckets.truncation.failures")).isZero();
    }

    private static List<String> topicsOfApplications() throws Exception {
        return admin.admin().listTopics().names().get().stream()
                .filter(each -> each.startsWith(KafkaTopics.APPLICATION_PREFIX))
                .toList();
    }

    @Test
    void aStartNamesTheRightThatIsMissing() throws Exception {
        List<AclBinding> toDelete = rights(ResourceType.TOPIC, "heddle.", PatternType.PREFIXED, AclOperation.DELETE);
        revoke(toDelete);

        Soon.untilAsserted(() -> assertThatThrownBy(() -> kafka.open(BUCKETS).close())
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("does not grant Heddle's account [DELETE] on topic heddle.buckets"));
        grant(toDelete);
    }

    @Test
    void aNodeThatMayNotWriteMarkersSaysSoAndWritesThemWhenItMay() throws Exception {
        double repaired = broker.count("heddle.transactions.repaired", "outcome", "aborted");
        revoke(TO_WRITE_MARKERS);
        LogPartition log = new LogPartition(KafkaTopics.BUCKETS, 1);
        long producer = 1L << 40;
        factory.append(log, producer, 0, new byte[1]);
        factory.end("heddle-9-00000001-0", log, producer, false);

        expectProblem("Heddle's account may not write transaction markers: give it ALTER on the cluster");

        grant(TO_WRITE_MARKERS);
        Soon.until(() -> broker.gauge("heddle.transactions.hanging") == 0);
        assertThat(broker.count("heddle.transactions.repaired", "outcome", "aborted"))
                .isEqualTo(repaired + 1);
    }

    @Test
    void aNodeThatMayNotReadDecisionsLeavesThemToAPerson() throws Exception {
        revoke(TO_READ_DECISIONS);
        LogPartition log = new LogPartition(KafkaTopics.BUCKETS, 2);
        long producer = factory.completed("heddle-9-00000002-0");
        factory.append(log, producer, 0, new byte[1]);

        expectProblem("Heddle's account may not read __transaction_state, so its outcome is not proven");

        administrator.command(
                "stores", "end-transaction", log.topic(), "2", Long.toString(producer), "--outcome", "aborted");
        Soon.until(() -> broker.gauge("heddle.transactions.hanging") == 0);
        grant(TO_READ_DECISIONS);
    }

    /** Waits until readiness and the state of the cluster name the problem; the list of transactions does, too. */
    private static void expectProblem(String clause) throws Exception {
        Soon.until(() -> administrator
                .get("/api/v1/cluster")
                .path("obstacles")
                .toString()
                .contains(clause));
        assertThat(BrokerProcess.statusOf(broker.httpPort(), "/actuator/health/readiness"))
                .isEqualTo(UNAVAILABLE);
        JsonNode listed = administrator.get("/api/v1/stores/kafka/transactions").path("items");
        assertThat(listed.size()).isOne();
        assertThat(listed.path(0).path("problem").asString()).startsWith(clause);
    }
}

package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The only broker is killed in the middle of a transaction. Kafka returns no records behind an open transaction to consumers that read
 * committed records, until another node fences the producer or the transaction times out.
 */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("ci")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class OpenTransactionIT {
    private static final Pattern INCARNATION = Pattern.compile("Joined the cluster: .*incarnation=([0-9a-f-]+)");
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    /** Any turn that no producer of the broker has. */
    private static final int TURN = 99;

    @Test
    void theNextStartDoesNotWaitUntilKafkaAbortsIt() throws Exception {
        String nodeId = "open-transaction-" + UUID.randomUUID();
        Incarnation killed;
        try (BrokerProcess broker = start(nodeId).awaitReady()) {
            killed = incarnation(broker);
            broker.kill();
            broker.awaitEnd(ENDS_WITHIN);
        }
        try (Producer<byte[], byte[]> open = producer(new TransactionalId(killed, TURN))) {
            open.initTransactions();
            open.beginTransaction();
            // A record in the first partition of the sessions' log. The transaction never commits, so no broker applies
            // the record.
            open.send(new ProducerRecord<>(KafkaTopics.CLIENTS, 0, new byte[1], new byte[1]))
                    .get();

            try (BrokerProcess next = start(nodeId).awaitReady()) {
                assertThat(next.untilReady()).isLessThan(ProducerSettings.TRANSACTION_TIMEOUT.dividedBy(2));
            }
        }
    }

    private static BrokerProcess start(String nodeId) throws Exception {
        return BrokerProcess.withoutServers(BrokerUnderTest.settings(nodeId, TestServers.shared()));
    }

    private static Incarnation incarnation(BrokerProcess broker) {
        Matcher joined = INCARNATION.matcher(broker.output());
        assertThat(joined.find()).as(broker.output()).isTrue();
        return Incarnation.parse(joined.group(1));
    }

    private static Producer<byte[], byte[]> producer(TransactionalId id) {
        Endpoints servers = TestServers.shared();
        Map<String, Object> properties = new HashMap<>(servers.kafkaSecurity());
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers.kafkaBootstrapServers());
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id.name());
        properties.put(
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                Math.toIntExact(ProducerSettings.TRANSACTION_TIMEOUT.toMillis()));
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }
}

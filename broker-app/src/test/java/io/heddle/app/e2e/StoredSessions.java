package io.heddle.app.e2e;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.Route;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.record.ClientFormat;
import io.heddle.standalone.Servers;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sessions of clients that are away, with one subscription each, as brokers store them. */
final class StoredSessions {
    private static final int BUCKETS = 16;

    private StoredSessions() {}

    /**
     * Writes the sessions faster than a broker could. A broker has created the topics, and none runs meanwhile.
     *
     * @param name as in the client id {@code name-7} and its topic filter {@code name/7/+}
     */
    static void write(Servers servers, String name, int count) {
        Map<String, Object> properties = new HashMap<>(servers.endpoints().kafkaSecurity());
        properties.put(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers.endpoints().kafkaBootstrapServers());
        long awaySinceMillis = Instant.now().toEpochMilli();
        Buckets buckets = new Buckets(BUCKETS);
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                ClientId clientId = new ClientId(name + "-" + i);
                SessionRecord session = new SessionRecord(
                        i, ClientType.DEVICE, null, SessionRecord.FOREVER_SECONDS, "", i, awaySinceMillis);
                Route route = new Route(clientId, name + "/" + i + "/+", i, QoS.AT_LEAST_ONCE, false, false, 0);
                for (ClientChange change : List.of(
                        new ClientChange.OfSession(clientId, session), new ClientChange.OfRoute(route.key(), route))) {
                    Future<?> _ = producer.send(new ProducerRecord<>(
                            KafkaTopics.CLIENTS,
                            buckets.of(clientId),
                            ClientFormat.key(change),
                            ClientFormat.value(change)));
                }
            }
            producer.flush();
        }
    }
}

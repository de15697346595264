package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttSubAckMessage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Clients with as many subscriptions as the default limit allows, in one packet of nearly the default size limit. */
final class ManyFiltersIT {
    private static final Logger log = LoggerFactory.getLogger(ManyFiltersIT.class);
    private static final int MANY = 10_000;
    private static final String LONG = "a".repeat(60);

    private static void subscribe(RawClient client, String prefix) throws Exception {
        MqttMessageBuilders.SubscribeBuilder packet =
                MqttMessageBuilders.subscribe().messageId(1);
        for (int i = 0; i < MANY; i++) {
            packet.addSubscription(MqttQoS.AT_LEAST_ONCE, topic(prefix, i));
        }
        long begun = System.nanoTime();
        client.send(packet.build());
        MqttSubAckMessage answer = (MqttSubAckMessage) client.next();
        log.info("{} filters were acknowledged after {} ms", MANY, elapsedMillis(begun));
        assertThat(answer.payload().reasonCodes()).hasSize(MANY).containsOnly(1);
    }

    private static String topic(String prefix, int number) {
        return prefix + "/" + number + "/" + LONG;
    }

    private static long elapsedMillis(long begunNanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
    }

    @Test
    void aCleanSessionHasThem() throws Exception {
        String clientId = Library.newClientId();
        try (BrokerUnderTest broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true");
                RawClient client = new RawConnect(clientId).open(broker.mqttPort())) {
            subscribe(client, clientId);

            broker.publish(topic(clientId, MANY - 1), "m", 1);

            assertThat(client.message().payload()).isEqualTo("m");
        }
    }

    @Test
    void aPersistentSessionKeepsThemOverATakeoverAndARestart() throws Exception {
        String clientId = Library.newClientId();
        RawConnect connect = new RawConnect(clientId).persistent(600);
        BrokerUnderTest first = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true");
        try (RawClient client = connect.open(first.mqttPort())) {
            subscribe(client, clientId);
            long begun = System.nanoTime();
            try (RawClient next = connect.open(first.mqttPort())) {
                log.info("The session was taken over after {} ms", elapsedMillis(begun));
                assertThat(next.sessionPresent()).isTrue();
            }
        } finally {
            first.stop();
        }
        try (BrokerUnderTest second = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true")) {
            second.publish(topic(clientId, MANY - 1), "m", 1);

            try (RawClient client = connect.open(second.mqttPort())) {
                assertThat(client.sessionPresent()).isTrue();
                assertThat(client.message().payload()).isEqualTo("m");
                client.disconnect((byte) 0);
            }
        }
    }
}

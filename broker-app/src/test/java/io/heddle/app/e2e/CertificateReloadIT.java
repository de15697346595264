package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.transport.connection.ListenerKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Certificates that are replaced while many clients exchange messages. */
@Tag("ci")
final class CertificateReloadIT {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateReloadIT.class);
    private static final int REPLACEMENTS = 5;
    /** Messages that each client exchanges at least between two replacements. */
    private static final int MESSAGES_BETWEEN = 3;

    private static final int CONNECT_SECONDS = 60;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    /** A client that publishes its next message when the one before is acknowledged and has come back. */
    private static final class Talker {
        private final Mqtt5AsyncClient client;
        private final String topic;
        private final AtomicInteger disconnects;
        // Guarded by this.
        private boolean talking = true;
        private int published;
        private int acknowledged;
        private int received;
        private @Nullable String fault;

        Talker(ListenerAddress address, AtomicInteger disconnects) {
            this.disconnects = disconnects;
            String clientId = Library.newClientId();
            topic = "reload/" + clientId;
            client = address.hiveMq(clientId)
                    .addDisconnectedListener(_ -> this.disconnects.incrementAndGet())
                    .useMqttVersion5()
                    .buildAsync();
        }

        void connect() throws Exception {
            client.publishes(MqttGlobalPublishFilter.ALL, this::receive);
            var _ = client.connect().get(CONNECT_SECONDS, TimeUnit.SECONDS);
            var _ = client.subscribeWith()
                    .topicFilter(topic)
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .send()
                    .get(CONNECT_SECONDS, TimeUnit.SECONDS);
        }

        synchronized void talk() {
            if (!talking || acknowledged != published || received != published) {
                return;
            }
            published++;
            var _ = client.publishWith()
                    .topic(topic)
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .payload(Integer.toString(published).getBytes(UTF_8))
                    .send()
                    .whenComplete(this::acknowledge);
        }

        private synchronized void acknowledge(@Nullable Mqtt5PublishResult result, @Nullable Throwable failure) {
            if (failure != null) {
                fault = failure.toString();
            }
            acknowledged++;
            talk();
        }

        private synchronized void receive(Mqtt5Publish message) {
            received++;
            if (!new String(message.getPayloadAsBytes(), UTF_8).equals(Integer.toString(received))) {
                fault = "message " + received + " is " + new String(message.getPayloadAsBytes(), UTF_8);
            }
            talk();
        }

        synchronized int received() {
            return received;
        }

        synchronized void stop() {
            talking = false;
        }

        synchronized boolean isQuiet() {
            return acknowledged == published && received == published;
        }

        synchronized void assertNothingIsLost() {
            assertThat(fault).as(topic).isNull();
            assertThat(client.getState().isConnected()).as(topic).isTrue();
            assertThat(received).isEqualTo(published).isEqualTo(acknowledged);
        }

        void leave() {
            HiveMqGoodbye.disconnect(client.toBlocking());
        }
    }

    @ParameterizedTest
    @CsvSource({"openssl, 50", "jdk, 10"})
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void noConnectionAndNoMessageIsLostWhileCertificatesAreReplaced(String provider, int clientsOfEachKind)
            throws Exception {
        TrialTls tls = new TrialTls(directory);
        List<String> settings = new ArrayList<>(tls.settings());
        settings.addAll(List.of(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.mqtt.tls-port=0",
                "--heddle.mqtt.wss-port=0",
                "--heddle.mqtt.tls.provider=" + provider,
                "--heddle.mqtt.tls.reload-interval=1s",
                "--heddle.mqtt.tls.handshake-timeout=60s"));
        AtomicInteger disconnects = new AtomicInteger();
        List<Talker> talkers = new ArrayList<>();
        try (BrokerUnderTest broker = BrokerUnderTest.start(settings.toArray(String[]::new));
                RestAdministrator administrator = new RestAdministrator(broker)) {
            for (ListenerKind kind : List.of(ListenerKind.TLS, ListenerKind.WSS)) {
                ListenerAddress address = ListenerAddress.of(broker, kind, tls);
                for (int i = 0; i < clientsOfEachKind; i++) {
                    Talker talker = new Talker(address, disconnects);
                    talkers.add(talker);
                    talker.connect();
                }
            }
            talkers.forEach(Talker::talk);
            double opened = opened(broker);

            for (int i = 0; i < REPLACEMENTS; i++) {
                awaitMoreMessages(talkers);
                String name = provider + "-" + i;
                tls.replaceCertificate(name);
                if (i % 2 == 0) {
                    // By itself.
                    Soon.until(() -> isUsed(broker, tls, name));
                } else {
                    administrator.command("reload-certificates");
                    assertThat(isUsed(broker, tls, name)).isTrue();
                }
            }
            awaitMoreMessages(talkers);

            talkers.forEach(Talker::stop);
            Soon.until(() -> talkers.stream().allMatch(Talker::isQuiet));
            assertThat(disconnects).hasValue(0);
            talkers.forEach(Talker::assertNothingIsLost);
            assertThat(opened).isEqualTo(talkers.size());
            assertThat(broker.count("heddle.tls.reloads", "result", "failure")).isZero();
            assertThat(broker.count("heddle.tls.reloads", "result", "success")).isGreaterThanOrEqualTo(REPLACEMENTS);
            LOG.info(
                    "{}: {} messages of {} clients during {} replacements",
                    provider,
                    talkers.stream().mapToInt(Talker::received).sum(),
                    talkers.size(),
                    REPLACEMENTS);
            talkers.forEach(Talker::leave);
        }
    }

    private static double opened(BrokerUnderTest broker) {
        return broker.count("heddle.listener.opened", "kind", "tls")
                + broker.count("heddle.listener.opened", "kind", "wss");
    }

    /** Returns when each client has exchanged some more messages. */
    private static void awaitMoreMessages(List<Talker> talkers) {
        int[] before = talkers.stream().mapToInt(Talker::received).toArray();
        for (int i = 0; i < before.length; i++) {
            Talker talker = talkers.get(i);
            int wanted = before[i] + MESSAGES_BETWEEN;
            Soon.until(() -> talker.received() >= wanted);
        }
    }

    /** Returns whether new connections of both kinds get the certificate with this name. */
    private static boolean isUsed(BrokerUnderTest broker, TrialTls tls, String name) throws Exception {
        return tls.nameAt(broker.listener("tls").getPort()).equals(name)
                && tls.nameAt(broker.listener("wss").getPort()).equals(name);
    }
}

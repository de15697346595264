package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import io.heddle.core.client.ledger.Account;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.client.ledger.Ledger;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.mqtt.MqttMessageType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Metrics account for every copy of a message. */
final class LedgerIT {
    private static final byte QUOTA_EXCEEDED = (byte) 0x97;
    private static final int MESSAGES = 300;

    /** Reasons that count messages without recipients instead of copies. */
    private static final Set<String> NOT_COPIES = Set.of("not_authorized", "publish_refused_overloaded");

    @Test
    void everyCopyIsDeliveredQueuedInFlightOrDroppedForAReason() throws Exception {
        try (BrokerUnderTest broker = BrokerUnderTest.start(
                        "--heddle.authentication.anonymous.enabled=true",
                        "--heddle.mqtt.event-loops=2",
                        "--heddle.session.maximum-in-flight=10",
                        "--heddle.session.maximum-queued-messages=50");
                HiveMq5Client publisher = new HiveMq5Client(broker.mqttPort(), Library.newClientId());
                LibraryClient ordinary5 = Library.HIVEMQ_5.connected(broker.mqttPort());
                LibraryClient ordinary311 = Library.PAHO_311.connected(broker.mqttPort());
                LibraryClient ordinary31 = Library.PAHO_31.connected(broker.mqttPort());
                LibraryClient firstMember = Library.HIVEMQ_311.connected(broker.mqttPort());
                LibraryClient secondMember = Library.HIVEMQ_5.connected(broker.mqttPort());
                RawClient small = raw().maximumPacketSize(500).open(broker.mqttPort());
                RawClient refusing = raw().open(broker.mqttPort())) {
            publisher.connect(Connecting.clean());
            RawConnect silent = raw().persistent(3_600);
            RawConnect away = raw().persistent(3_600);
            RawConnect ending = raw().expirySeconds(0);
            ordinary5.subscribe("ledger/#", 2);
            ordinary311.subscribe("ledger/+", 1);
            ordinary31.subscribe("#", 2);
            firstMember.subscribe("$share/g/ledger/+", 1);
            secondMember.subscribe("$share/g/ledger/+", 2);
            small.subscribe("ledger/+", 0);
            refusing.subscribe("ledger/+", 2);
            away.open(broker.mqttPort()).subscribe("ledger/+", 2).cut();
            Soon.until(() -> !broker.isConnected(away.clientId()));
            // Retained messages of earlier tests, which the subscriber to all topics receives.
            int copies = (int) broker.part(MeterRegistry.class)
                    .get("heddle.retained.messages")
                    .gauge()
                    .value();
            int recipients = 9;
            try (RawClient neverAcknowledges = silent.open(broker.mqttPort()).subscribe("ledger/+", 2)) {
                RawClient ends = ending.open(broker.mqttPort()).subscribe("ledger/+", 1);

                publish(publisher);
                copies += MESSAGES * recipients;
                assertThat(neverAcknowledges.message().topic()).startsWith("ledger/");
                ends.cut();
                Soon.until(() -> !broker.hasSession(ending.clientId()));
            }
            publisher.publish("nobody", "only for the subscriber of everything", 1);
            copies++;

            double expected = copies;
            try (RawClient silentNoMore = silent.open(broker.mqttPort());
                    RawClient back = away.open(broker.mqttPort())) {
                Soon.untilAsserted(() -> {
                    refuseAll(refusing);
                    refuseAll(silentNoMore);
                    refuseAll(back);
                    assertThat(broker.gauge("heddle.messages.in.flight")).isZero();
                    assertThat(broker.gauge("heddle.messages.queued")).isZero();
                    assertThat(booked(broker))
                            .as("dropped: %s", dropped(broker))
                            .isEqualTo(expected);
                });
            }
            Ledger ledger = broker.part(Ledger.class);
            Soon.untilAsserted(() -> {
                Map<Flow, Long> counts = ledger.read().toCompletableFuture().join();
                assertThat(Account.values())
                        .as("counts: %s", counts)
                        .allMatch(account -> account.difference(counts) == 0);
                assertThat(counts).containsEntry(Flow.UNANSWERED, 0L);
            });
            Map<String, Double> dropped = dropped(broker);
            assertThat(broker.count("heddle.messages.received")).isEqualTo(MESSAGES + 1);
            assertThat(dropped)
                    .as("every reason that this run can have")
                    .hasEntrySatisfying("queue_full", count -> assertThat(count).isPositive())
                    .hasEntrySatisfying(
                            "packet_too_large", count -> assertThat(count).isPositive())
                    .hasEntrySatisfying(
                            "refused_by_client", count -> assertThat(count).isPositive())
                    .hasEntrySatisfying(
                            "disconnected", count -> assertThat(count).isPositive())
                    .hasEntrySatisfying("expired", count -> assertThat(count).isPositive())
                    .hasEntrySatisfying(
                            "session_ended", count -> assertThat(count).isPositive());
        }
    }

    private static RawConnect raw() {
        return new RawConnect(Library.newClientId());
    }

    /** Publishes with each QoS in turn; every fifth message is large, every seventh has expired on arrival. */
    private static void publish(HiveMq5Client publisher) {
        for (int i = 0; i < MESSAGES; i++) {
            var message = publisher
                    .library()
                    .publishWith()
                    .topic("ledger/" + i % 10)
                    .qos(List.of(MqttQos.values()).get(i % 3))
                    .payload(new byte[i % 5 == 0 ? 1_000 : 10]);
            if (i % 7 == 0) {
                message = message.messageExpiryInterval(0);
            }
            message.send();
        }
    }

    private static void refuseAll(RawClient client) {
        List<RawPublish> messages = client.messagesUntilPing();
        while (!messages.isEmpty()) {
            for (RawPublish message : messages) {
                if (message.qos() > 0) {
                    MqttMessageType answer = message.qos() == 1 ? MqttMessageType.PUBACK : MqttMessageType.PUBREC;
                    client.refuse(answer, message.packetId(), QUOTA_EXCEEDED);
                }
            }
            messages = client.messagesUntilPing();
        }
    }

    private static double booked(BrokerUnderTest broker) {
        double dropped = dropped(broker).values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
        return broker.count("heddle.messages.delivered")
                + broker.gauge("heddle.messages.queued")
                + broker.gauge("heddle.messages.in.flight")
                + dropped;
    }

    private static Map<String, Double> dropped(BrokerUnderTest broker) {
        Map<String, Double> byReason = new TreeMap<>();
        broker.parts(MeterRegistry.class)
                .flatMap(each -> each.find("heddle.messages.dropped").counters().stream())
                .forEach(counter -> {
                    String reason = counter.getId().getTag("reason");
                    if (reason != null && !NOT_COPIES.contains(reason)) {
                        byReason.merge(reason, counter.count(), Double::sum);
                    }
                });
        return byReason;
    }
}

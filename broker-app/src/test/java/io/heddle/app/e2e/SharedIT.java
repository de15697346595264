package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.testkit.Conformance;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shared subscriptions whose members speak different versions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SharedIT {
    private static final List<Library> MEMBERS = List.of(Library.HIVEMQ_5, Library.HIVEMQ_311, Library.PAHO_31);

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private LibraryClient publisher;

    @BeforeAll
    void startBroker() throws Exception {
        broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true", "--heddle.mqtt.event-loops=2");
        publisher = Library.HIVEMQ_311.connected(broker.mqttPort());
    }

    @AfterAll
    void stopBroker() {
        publisher.close();
        broker.close();
    }

    private List<LibraryClient> members(String filter, int qos) throws Exception {
        List<LibraryClient> members = new ArrayList<>();
        for (Library library : MEMBERS) {
            LibraryClient member = library.connected(broker.mqttPort());
            member.subscribe(filter, qos);
            members.add(member);
        }
        return members;
    }

    private void publish(String topic, int from, int to, int qos) throws Exception {
        for (int i = from; i < to; i++) {
            publisher.publish(topic, Integer.toString(i), qos);
        }
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    private static List<String> received(List<LibraryClient> members) {
        return members.stream().flatMap(each -> each.payloads().stream()).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void membersReceiveMessagesInTurn(int qos) throws Exception {
        String topic = "turn/" + qos;
        List<LibraryClient> members = members("$share/group/" + topic, qos);

        publish(topic, 0, 30, qos);

        Soon.until(() -> received(members).size() >= 30);
        assertThat(received(members)).containsExactlyInAnyOrderElementsOf(numbers(0, 30));
        assertThat(members).allSatisfy(each -> {
            assertThat(each.received()).hasSize(10).allMatch(message -> message.qos() == qos);
            assertThat(each.payloads().stream().map(Integer::valueOf).toList()).isSorted();
        });
        members.forEach(LibraryClient::close);
    }

    @Conformance({"MQTT-3.10.4-2", "MQTT-3.10.4-4", "MQTT-3.10.4-5"})
    @Test
    void leavingMemberReceivesNoMoreMessages() throws Exception {
        List<LibraryClient> members = members("$share/leaving/leaving", 1);
        publish("leaving", 0, 9, 1);
        Soon.until(() -> received(members).size() >= 9);

        members.get(0).unsubscribe("$share/leaving/leaving");
        publish("leaving", 9, 19, 1);
        Soon.until(() -> received(members).size() >= 19);
        members.get(1).close();
        Soon.until(() -> !broker.hasSession(members.get(1).clientId()));
        publish("leaving", 19, 25, 1);
        Soon.until(() -> received(members).size() >= 25);

        assertThat(received(members)).containsExactlyInAnyOrderElementsOf(numbers(0, 25));
        assertThat(members.get(0).received()).hasSize(3);
        assertThat(members.get(1).received()).hasSize(8);
        assertThat(members.get(2).received()).hasSize(14);
        members.forEach(LibraryClient::close);
    }

    @Test
    void absentMemberIsSkippedUnlessItIsTheLastOne() throws Exception {
        String clientId = Library.newClientId();
        try (LibraryClient away = Library.HIVEMQ_311.client(broker.mqttPort(), clientId);
                LibraryClient there = Library.PAHO_311.connected(broker.mqttPort())) {
            away.connect(Connecting.persistently());
            away.subscribe("$share/away/away", 1);
            there.subscribe("$share/away/away", 1);
            away.disconnect();
            Soon.until(() -> !broker.isConnected(clientId));

            publish("away", 0, 10, 1);
            Soon.until(() -> there.received().size() >= 10);
            there.unsubscribe("$share/away/away");
            publish("away", 10, 15, 1);
            away.connect(Connecting.persistently());

            Soon.until(() -> away.received().size() >= 5);
            assertThat(there.payloads()).isEqualTo(numbers(0, 10));
            assertThat(away.payloads()).isEqualTo(numbers(10, 15));
        }
    }
}

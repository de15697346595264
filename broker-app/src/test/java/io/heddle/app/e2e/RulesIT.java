package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A broker with the rules of docs/security.md, which two groups of clients share. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RulesIT {
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @BeforeAll
    void startBroker() throws Exception {
        broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true");
        broker.replaceRules("""
                # Clients have topics of their own; all may read the notices.
                default deny
                allow all devices/${clientId}/# for everyone
                allow subscribe notices/# for everyone
                allow publish notices/+ qos 0,1 retain no for everyone
                """);
    }

    @AfterAll
    void stopBroker() throws Exception {
        try {
            // Other tests use the same servers.
            broker.replaceRules("default allow");
        } finally {
            broker.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsSeeTheirOwnTopicsAndNoOthers(Library library) throws Exception {
        String clientId = Library.newClientId();
        try (LibraryClient own = library.client(broker.mqttPort(), clientId);
                LibraryClient other = library.connected(broker.mqttPort())) {
            own.connect(Connecting.clean());
            own.subscribe("devices/" + clientId + "/#", 1);
            own.subscribe("notices/" + clientId, 1);

            publishDenied(library, other, "devices/" + clientId + "/x");
            own.publish("devices/" + clientId + "/x", "own", 1);
            other.publish("notices/" + clientId, "notice", 1);

            Soon.until(() -> own.received().size() == 2);
            assertThat(own.payloads()).containsExactly("own", "notice");
        }
    }

    /** Clients of 3.x get an acknowledgement, those of 5.0 the refusal, which Paho's library does not report. */
    private static void publishDenied(Library library, LibraryClient client, String topic) throws Exception {
        if (library == Library.HIVEMQ_5) {
            assertThatThrownBy(() -> client.publish(topic, "intruder", 1)).isNotNull();
        } else {
            client.publish(topic, "intruder", 1);
        }
    }
}

package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** A client of a {@link KillableBroker} with a persistent session, which also subscribes to a private topic. One test thread. */
final class PersistentSubscriber {
    private final KillableBroker broker;
    private final RawConnect connect;
    private final String end;

    PersistentSubscriber(KillableBroker broker, RawConnect connect) {
        this.broker = broker;
        this.connect = connect;
        this.end = "end/" + connect.clientId();
    }

    /** Connects and begins the session. */
    RawClient subscribe(String topic, int qos) {
        return broker.open(connect).subscribe(topic, qos).subscribe(end, 1);
    }

    /** Connects and resumes the session. */
    RawClient resume() {
        RawClient client = broker.open(connect);
        assertThat(client.sessionPresent()).isTrue();
        return client;
    }

    /** Resumes the session, acknowledges its messages, and leaves; returns the payloads. */
    List<String> takeAll() {
        List<String> payloads = new ArrayList<>();
        broker.publish(end, "end");
        RawClient client = resume();
        String payload = client.take(1).getFirst().payload();
        while (!payload.equals("end")) {
            payloads.add(payload);
            payload = client.take(1).getFirst().payload();
        }
        client.leave();
        return payloads;
    }

    /** Asserts that neither this connection nor the next one receives anything before a message that is published now. */
    void assertNothingMore(RawClient client) {
        assertThat(client.packetsUntilPing()).isEmpty();
        client.leave();
        try (RawClient next = resume()) {
            broker.publish(end, "end");
            assertThat(next.take(1)).extracting(RawPublish::payload).containsExactly("end");
            assertThat(next.packetsUntilPing()).isEmpty();
        }
    }
}

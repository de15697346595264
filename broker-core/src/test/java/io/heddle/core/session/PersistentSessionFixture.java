package io.heddle.core.session;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.testkit.ManualEventLoop;

/** A client with a persistent session, and a publisher. */
abstract class PersistentSessionFixture {
    public final TestNode node = new TestNode();
    public final TestClient publisher = node.connect("publisher");

    public TestClient connect() {
        return node.connect(new Connect("c").persistent(60).packet());
    }

    public TestClient connect(ManualEventLoop on) {
        return node.connect(on, new Connect("c").persistent(60).packet());
    }

    public void publish(QoS qos, String... payloads) {
        for (String payload : payloads) {
            publisher.publish("t", payload, qos, 1);
            publisher.pubRel(1);
        }
    }
}

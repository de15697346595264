package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRecord;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Clients whose node is not the one that decides about them. All requests and answers cross a lane as bytes. */
abstract class RemoteRegistrarFixture {
    static final ClientId CLIENT = new ClientId("c");
    static final int OWNER = TestCluster.OWNER;

    TestCluster cluster = new TestCluster(3);
    final TestClient watcher = watcher();

    private TestClient watcher() {
        return cluster.connect(OWNER, new Connect("watcher")).subscribe(QoS.AT_MOST_ONCE, "wills");
    }

    static Connect persistent() {
        return new Connect("c").persistent(60);
    }

    @Nullable
    PersistentSession session() {
        return cluster.owner().persistent.find(CLIENT);
    }

    SessionRecord record() {
        return Objects.requireNonNull(session()).record();
    }

    String incarnation(int node) {
        return cluster.node(node).persistent.incarnation();
    }

    void publish(String payload) {
        cluster.connect(OWNER, new Connect("publisher")).publish("t", payload, QoS.AT_LEAST_ONCE, 1);
    }
}

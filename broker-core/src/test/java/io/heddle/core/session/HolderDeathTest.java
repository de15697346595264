package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.testkit.Conformance;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The node that decides about a client dies, and another one takes its buckets. */
final class HolderDeathTest extends RemoteRegistrarFixture {
    private PersistentSession atNextHolder() {
        return Objects.requireNonNull(cluster.node(1).persistent.find(CLIENT));
    }

    @Test
    void aSessionThatTheDeadHolderHasBegunIsResumedByItsClient() {
        TestClient first = cluster.connect(2, persistent()).subscribe(QoS.AT_LEAST_ONCE, "t");
        cluster.takeOver(1);
        assertThat(first.connection().isOpen()).isTrue();
        assertThat(atNextHolder().record().isAway()).isFalse();

        TestClient second = cluster.connect(1, persistent());

        assertThat(second.connAck().sessionPresent()).isTrue();
        assertThat(first.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(atNextHolder().subscriptions()).containsOnlyKeys("t");
    }

    /** The record of the session is durable, but the answer is lost with the holder. */
    @Test
    void anAnswerThatIsLostWithTheHolderDoesNotLockTheClientOut() {
        cluster.delayFrames();
        TestClient client = cluster.connect(2, persistent());
        assertThat(client.connection().sent()).isEmpty();
        cluster.deliverOne();
        cluster.run();
        assertThat(record().owner()).isEqualTo(incarnation(2));

        cluster.takeOver(1);
        cluster.deliverFrames();

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(atNextHolder().record().owner()).isEqualTo(incarnation(2));
        assertThat(atNextHolder().record().isAway()).isFalse();
    }

    @Conformance("MQTT-3.1.4-3")
    @Test
    void aTransientClientOfAnotherNodeIsTakenOverAfterTheDeathOfTheHolder() {
        TestClient first = cluster.connect(2, new Connect("c"));
        cluster.takeOver(1);

        TestClient second = cluster.connect(1, new Connect("c"));

        assertThat(first.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(second.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Conformance("MQTT-3.1.4-3")
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 40, 150, 400})
    void aHundredConnectionsLeaveOneSurvivorWhileTheHolderDies(int frames) {
        List<TestClient> clients = new ArrayList<>();
        cluster.delayFrames();
        for (int i = 0; i < 100; i++) {
            clients.add(cluster.begin(1 + i % 2, i % 3 == 0 ? new Connect("c") : persistent()));
            cluster.node(1 + i % 2).runAll();
        }
        for (int i = 0; i < frames; i++) {
            cluster.deliverOne();
            cluster.run();
        }
        cluster.takeOver(1);
        cluster.deliverFrames();

        List<TestClient> open =
                clients.stream().filter(each -> each.connection().isOpen()).toList();
        assertThat(open).hasSize(1);
        assertThat(open.getFirst().connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(cluster.node(1).sessions.connectedCount() + cluster.node(2).sessions.connectedCount())
                .isOne();
    }
}

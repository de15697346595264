package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The event loop of a bucket decides about the bucket's sessions, whichever loops have the connections. */
final class SessionRegistrarTest {
    private static final ClientId CLIENT = new ClientId("c");

    private final TestNode node = new TestNode();
    private final TestClient first = node.connect(persistent().will(0).packet());
    private final PersistentSession session = Objects.requireNonNull(node.persistent.find(CLIENT));
    private final ManualEventLoop owner = session.registrarLoop().equals(node.loop) ? node.loop : node.otherLoop;
    private final ManualEventLoop notOwner = owner.equals(node.loop) ? node.otherLoop : node.loop;

    private static Connect persistent() {
        return new Connect("c").persistent(60);
    }

    @Test
    void onlyTheLoopOfTheBucketOpensASession() {
        first.lose();
        TestClient client = node.begin(notOwner, persistent().packet());
        notOwner.runTasks();
        assertThat(session.isAcquired()).isFalse();

        owner.runNext(1);

        assertThat(session.isAcquired()).isTrue();
        node.runAll();
        assertThat(client.connAck().sessionPresent()).isTrue();
    }

    @Test
    void otherThreadsCannotChangeASession() {
        owner.leave();

        assertThatIllegalStateException().isThrownBy(() -> node.persistent.acquire(session));
        assertThatIllegalStateException().isThrownBy(() -> node.persistent.end(session));
        assertThatIllegalStateException().isThrownBy(() -> node.wills.publishWaiting(session));
    }

    @Test
    void aDepartureIsDecidedBeforeTheNextConnection() {
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_MOST_ONCE, "#");
        first.connected().onConnectionLost();
        assertThat(session.isAcquired()).as("the departure waits").isTrue();

        TestClient next = node.connect(notOwner, persistent().packet());

        assertThat(next.connAck().sessionPresent()).isTrue();
        assertThat(watcher.messages()).as("the will").hasSize(1);
    }

    @Test
    void anExpiredSessionEndsOnTheLoopOfItsBucket() {
        first.lose();
        owner.spend(Duration.ofMinutes(2));
        notOwner.spend(Duration.ofMinutes(2));

        node.housekeeping.run(10);

        assertThat(node.persistent.find(CLIENT)).isSameAs(session);
        owner.runTasks();
        assertThat(node.persistent.find(CLIENT)).isNull();
    }
}

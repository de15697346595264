package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.FilterRequest;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

        owner.runTasks();

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
        first.closed();
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

    @ParameterizedTest
    @EnumSource(
            value = QoS.class,
            names = {"AT_LEAST_ONCE", "EXACTLY_ONCE"})
    void aDepartureWaitsForTheOutcomeOfTheClientsPublishes(QoS qos) {
        node.connect(new Connect("stored").persistent(60).packet())
                .subscribe(qos, "t")
                .lose();
        node.log.hold(100);
        first.publish("t", "a", qos, 1);
        first.lose();
        assertThat(session.isAcquired()).isTrue();
        TestClient next = node.connect(notOwner, persistent().packet());
        assertThat(next.connection().sent()).isEmpty();

        node.log.release();
        node.runAll();

        assertThat(next.connAck().sessionPresent()).isTrue();
    }

    @Test
    void aDepartureWaitsNoLongerForAPublishThatHasFailed() {
        node.connect(new Connect("stored").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t")
                .lose();
        node.log.hold(100);
        first.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        first.lose();
        node.log.failNextWith(new IllegalStateException("the outcome is in doubt"));
        node.log.release();
        node.runAll();

        assertThat(session.isAcquired()).isFalse();
    }

    @Test
    void laterRequestsOfAClientWaitForItsLargeChange() {
        List<FilterRequest> requests = IntStream.range(0, 200)
                .mapToObj(each -> new FilterRequest(
                        TopicFilter.parse("f/" + each, 8), QoS.AT_LEAST_ONCE, false, false, RetainHandling.SEND))
                .toList();
        long epoch = session.record().epoch();
        var subscribed = node.registrar.change(
                new SubscriptionChange.Subscribe(CLIENT, session.generation(), epoch, 0, requests));
        var unsubscribed = node.registrar.change(
                new SubscriptionChange.Unsubscribe(CLIENT, session.generation(), epoch, List.of("f/0")));
        first.connection().lose();
        first.closed();

        node.runAll();

        assertThat(subscribed.toCompletableFuture()).isCompleted();
        assertThat(unsubscribed.toCompletableFuture())
                .isCompletedWithValue(new ChangeOutcome.Changed(List.of(ReasonCode.SUCCESS), List.of()));
        assertThat(session.subscriptions()).containsOnlyKeys("f/1", "f/2");
        assertThat(session.isAcquired()).as("the departure came last").isFalse();
    }

    @Test
    void aLargeChangeLeavesTheLoopToOthersBetweenItsSteps() {
        String[] filters = IntStream.range(0, 200).mapToObj(each -> "f/" + each).toArray(String[]::new);
        first.unsettled().subscribe(QoS.AT_MOST_ONCE, filters);
        owner.runNext(1);
        boolean[] hasRun = new boolean[1];
        owner.execute(() -> hasRun[0] = true);
        owner.runNext(2);

        assertThat(hasRun[0]).isTrue();
        assertThat(first.connection().sent(SubAckPacket.class)).isEmpty();
        node.runAll();
        assertThat(first.subscribed()).hasSize(200);
    }
}

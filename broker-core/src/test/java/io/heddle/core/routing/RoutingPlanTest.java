package io.heddle.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.SessionSubscriber;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.Conformance;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingSession;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoutingPlanTest {
    private static final int LEVELS = 8;

    private final SubscriptionTrie trie = new SubscriptionTrie();
    private final Router router = new Router(trie);
    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final ManualEventLoop otherLoop = new ManualEventLoop(1);

    @Conformance({"MQTT-3.3.4-2", "MQTT-3.3.4-3", "MQTT-3.3.4-4"})
    @Test
    void overlappingSubscriptionsOfAPersistentSessionAreOneCopy() {
        PersistentSubscriber pump = persistent("pump");
        PersistentSubscriber valve = persistent("valve");
        subscribe(valve, "a/b", QoS.AT_LEAST_ONCE, false, false, 9);
        subscribe(pump, "a/b", QoS.AT_LEAST_ONCE, false, false, 3);
        subscribe(pump, "a/+", QoS.EXACTLY_ONCE, false, true, 5);
        subscribe(pump, "#", QoS.AT_MOST_ONCE, false, false, 0);

        RoutingPlan plan = route("a/b", QoS.EXACTLY_ONCE);

        assertThat(plan.recipients()).isEqualTo(2);
        assertThat(plan.persistent().count()).isEqualTo(2);
        assertThat(plan.loopCount()).isZero();
        assertThat(plan.away()).isZero();
        DeliveryTerms terms = plan.persistent().terms(placeOf(pump, plan));
        assertThat(terms.maximumQos()).isEqualTo(QoS.EXACTLY_ONCE);
        assertThat(terms.retainAsPublished()).isTrue();
        assertThat(terms.subscriptionIdentifiers()).containsExactlyInAnyOrder(3, 5);
        assertThat(plan.persistent().terms(placeOf(valve, plan)).subscriptionIdentifiers())
                .containsExactly(9);
    }

    @Test
    void sessionsOfBothKindsAreMergedSeparately() {
        RecordingSession local = new RecordingSession("local", loop);
        PersistentSubscriber pump = persistent("pump");
        for (SessionSubscriber session : List.of(local, pump)) {
            subscribe(session, "a/b", QoS.AT_LEAST_ONCE, false, false, 1);
            subscribe(session, "a/#", QoS.EXACTLY_ONCE, false, false, 2);
        }

        RoutingPlan plan = route("a/b", QoS.EXACTLY_ONCE);

        assertThat(plan.recipients()).isEqualTo(2);
        assertThat(connected(plan)).containsExactly(local);
        assertThat(plan.onLoop(0).terms(0).subscriptionIdentifiers()).containsExactlyInAnyOrder(1, 2);
        assertThat(plan.persistent().count()).isOne();
        assertThat(plan.persistent().terms(0).subscriptionIdentifiers()).containsExactlyInAnyOrder(1, 2);
    }

    @Conformance({"MQTT-3.8.4-8", "MQTT-4.5.0-1"})
    @Test
    void connectedPersistentSessionsGetDurableMessagesThroughTheLog() {
        PersistentSubscriber pump = persistent("pump");
        pump.connected(new RecordingSession("pump", loop), 1);
        subscribe(pump, "a", QoS.AT_LEAST_ONCE, false, false, 0);

        RoutingPlan plan = route("a", QoS.EXACTLY_ONCE);

        assertThat(plan.isLogged(0)).isTrue();
        assertThat(plan.persistent().qos(0, QoS.EXACTLY_ONCE)).isEqualTo(QoS.AT_LEAST_ONCE);
        assertThat(plan.loopCount()).as("one delivery path only").isZero();
        assertThat(plan.recipients()).isOne();
    }

    @Test
    void atQos0ConnectedSessionsGetTheMessageAndAbsentOnesAreCounted() {
        RecordingSession here = new RecordingSession("here", otherLoop);
        PersistentSubscriber connected = persistent("here");
        connected.connected(here, 1);
        PersistentSubscriber away = persistent("away");
        subscribe(connected, "a", QoS.EXACTLY_ONCE, false, false, 4);
        subscribe(away, "a", QoS.EXACTLY_ONCE, false, false, 0);

        RoutingPlan plan = route("a", QoS.AT_MOST_ONCE);

        assertThat(connected(plan)).containsExactly(here);
        assertThat(plan.onLoop(0).eventLoop()).isSameAs(otherLoop);
        assertThat(plan.onLoop(0).terms(0).subscriptionIdentifiers()).containsExactly(4);
        assertThat(plan.recipients()).isEqualTo(2);
        assertThat(plan.away()).isOne();
        assertThat(plan.isLogged(0)).isFalse();
        assertThat(plan.isLogged(1)).isFalse();
    }

    @Test
    void theHighestQosOfTheSubscriptionsDeterminesTheDeliveryPath() {
        PersistentSubscriber pump = persistent("pump");
        pump.connected(new RecordingSession("pump", loop), 1);
        subscribe(pump, "a", QoS.AT_MOST_ONCE, false, false, 0);
        assertThat(route("a", QoS.AT_LEAST_ONCE).isLogged(0)).isFalse();

        subscribe(pump, "#", QoS.AT_LEAST_ONCE, false, false, 0);

        RoutingPlan plan = route("a", QoS.AT_LEAST_ONCE);
        assertThat(plan.isLogged(0)).isTrue();
        assertThat(plan.loopCount()).isZero();
    }

    @Test
    void noLocalSubscriptionsGetNoMessageOfTheirOwnClient() {
        PersistentSubscriber publisher = persistent("publisher");
        subscribe(publisher, "a/b", QoS.AT_LEAST_ONCE, true, false, 1);

        RoutingPlan own = route("a/b", QoS.AT_LEAST_ONCE);
        assertThat(own.recipients()).isZero();
        assertThat(own.persistent().count()).isZero();

        subscribe(publisher, "a/+", QoS.AT_LEAST_ONCE, false, false, 2);
        assertThat(route("a/b", QoS.AT_LEAST_ONCE).persistent().terms(0).subscriptionIdentifiers())
                .as("only the subscription without No Local")
                .containsExactly(2);
    }

    @Test
    void theCopyOfAMemberIsMergedWithNothing() {
        PersistentSubscriber pump = connectedMember("pump");
        subscribe(pump, "a", QoS.AT_LEAST_ONCE, false, false, 3);
        subscribe(pump, "#", QoS.AT_LEAST_ONCE, false, false, 4);

        RoutingPlan plan = route("a", QoS.AT_LEAST_ONCE);

        assertThat(plan.recipients()).isEqualTo(2);
        assertThat(plan.persistent().count()).isEqualTo(2);
        assertThat(plan.persistent().terms(0).subscriptionIdentifiers()).containsExactlyInAnyOrder(3, 4);
        assertThat(plan.persistent().terms(1).sharedFilter()).isNotNull();
    }

    @Test
    void aReusedPlanIsEmpty() {
        List<PersistentSubscriber> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            PersistentSubscriber session = persistent("many-" + i);
            subscribe(session, "a/b", QoS.AT_LEAST_ONCE, false, false, 0);
            subscribe(session, "a/+", QoS.AT_LEAST_ONCE, false, false, 0);
            many.add(session);
        }
        PersistentSubscriber one = persistent("one");
        subscribe(one, "c", QoS.AT_MOST_ONCE, false, false, 0);

        assertThat(route("a/b", QoS.AT_LEAST_ONCE).recipients()).isEqualTo(1_000);
        RoutingPlan plan = route("c", QoS.AT_LEAST_ONCE);
        assertThat(plan.recipients()).isOne();
        assertThat(plan.away()).isOne();
        assertThat(plan.persistent().count()).isOne();
        assertThat(plan.persistent().session(0)).isSameAs(one);
        plan = route("a/b", QoS.AT_LEAST_ONCE);
        assertThat(plan.away()).isZero();
        List<SessionSubscriber> found = new ArrayList<>();
        for (int i = 0; i < plan.persistent().count(); i++) {
            found.add(plan.persistent().session(i));
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(many);
    }

    private PersistentSubscriber connectedMember(String clientId) {
        PersistentSubscriber session = persistent(clientId);
        session.connected(new RecordingSession(clientId, loop), 1);
        subscribe(session, "$share/g/a", QoS.AT_LEAST_ONCE, false, false, 0);
        return session;
    }

    private static PersistentSubscriber persistent(String clientId) {
        return new PersistentSubscriber(new ClientId(clientId), ClientType.DEVICE, 0, 42);
    }

    private void subscribe(
            SessionSubscriber session,
            String filter,
            QoS qos,
            boolean noLocal,
            boolean retainAsPublished,
            int identifier) {
        trie.put(
                session,
                new Subscription(TopicFilter.parse(filter, LEVELS), qos, noLocal, retainAsPublished, identifier));
    }

    private RoutingPlan route(String topic, QoS qos) {
        return router.route(new PublishMessage(
                new ClientId("publisher"),
                TopicName.parse(topic, LEVELS),
                qos,
                false,
                PublishProperties.NONE,
                BinaryData.EMPTY,
                PublishMessage.NEVER_EXPIRES));
    }

    private static int placeOf(PersistentSubscriber session, RoutingPlan plan) {
        for (int i = 0; i < plan.persistent().count(); i++) {
            if (plan.persistent().session(i).equals(session)) {
                return i;
            }
        }
        throw new AssertionError(session.clientId() + " is not a recipient");
    }

    private static List<LocalSession> connected(RoutingPlan plan) {
        List<LocalSession> connected = new ArrayList<>();
        for (int loop = 0; loop < plan.loopCount(); loop++) {
            for (int i = 0; i < plan.onLoop(loop).count(); i++) {
                connected.add(plan.onLoop(loop).session(i));
            }
        }
        return connected;
    }
}

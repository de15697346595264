package io.heddle.core.routing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.Dispatcher;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.routing.NextChoice.Fate;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingSession;
import io.heddle.core.testkit.TestForwarding;
import io.heddle.core.testkit.UnboundedLag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SharedSubscriptionsTest {
    private static final int LEVELS = 8;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final SubscriptionTrie trie = new SubscriptionTrie();
    private final Router router = new Router(trie);
    private final Dispatcher dispatcher = new Dispatcher(
            new DirectDelivery(
                    1, Long.MAX_VALUE, new ClientIncidents(System::nanoTime, metrics), new Ledger(metrics), metrics),
            new InMemoryMessageLog(new InMemoryBucketLog(1), UnboundedLag.positions(1)),
            UnboundedLag.positions(1),
            TestForwarding.alone(trie, metrics),
            new MessageNames(new Incarnation(0, 0), 1),
            metrics);
    private final ManualEventLoop loop = new ManualEventLoop(0);

    @Test
    void eachOfThreeMembersGetsAThirdOfTheMessages() {
        RecordingSession first = subscribed("first", "$share/g/city/+");
        RecordingSession second = subscribed("second", "$share/g/city/+");
        RecordingSession third = subscribed("third", "$share/g/city/+");

        publish(3_000, "city/1");

        assertThat(first.delivered()).hasSize(1_000);
        assertThat(second.delivered()).hasSize(1_000);
        assertThat(third.delivered()).hasSize(1_000);
    }

    @Test
    void sharesAreEqualWhenSeveralThreadsRoute() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            subscribed("member" + i, "$share/g/city/+");
        }
        Map<String, LongAdder> shares = new ConcurrentHashMap<>();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().name("routes-" + i).start(() -> routeWhenStarted(start, 7_500, shares)));
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(shares)
                .hasSize(3)
                .allSatisfy((member, share) -> assertThat(share.sum()).isEqualTo(10_000));
    }

    private void routeWhenStarted(CountDownLatch start, int messages, Map<String, LongAdder> shares) {
        PublishMessage message = message("city/1");
        try {
            start.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        for (int i = 0; i < messages; i++) {
            RoutingPlan plan = router.route(message);
            assertThat(plan.recipients()).isOne();
            String member = plan.onLoop(0).session(0).clientId().value();
            shares.computeIfAbsent(member, name -> new LongAdder()).increment();
        }
    }

    @Test
    void sharesStayEqualWhenMembersComeAndGo() {
        RecordingSession stays = subscribed("stays", "$share/g/city/+");
        RecordingSession leaves = subscribed("leaves", "$share/g/city/+");
        publish(1_000, "city/1");
        RecordingSession comes = subscribed("comes", "$share/g/city/+");
        publish(1_500, "city/1");
        trie.remove(leaves, filter("$share/g/city/+"));
        publish(2_000, "city/1");

        assertThat(stays.delivered().size()).isCloseTo(500 + 500 + 1_000, within(2));
        assertThat(leaves.delivered().size()).isCloseTo(500 + 500, within(2));
        assertThat(comes.delivered().size()).isCloseTo(500 + 1_000, within(2));
        assertThat(stays.delivered().size()
                        + leaves.delivered().size()
                        + comes.delivered().size())
                .isEqualTo(4_500);
    }

    @Test
    void membersThatAreNotConnectedAreSkippedAndTheOthersShareEqually() {
        subscribed("away", "$share/g/#").disconnect();
        RecordingSession second = subscribed("second", "$share/g/#");
        RecordingSession third = subscribed("third", "$share/g/#");

        publish(1_000, "city/1");

        assertThat(second.delivered().size()).isCloseTo(500, within(1));
        assertThat(third.delivered().size()).isCloseTo(500, within(1));
        assertThat(second.delivered().size() + third.delivered().size()).isEqualTo(1_000);
    }

    @Test
    void anAbsentMemberIsSelectedWhenNoneIsConnected() {
        RecordingSession first = subscribed("first", "$share/g/#");
        RecordingSession second = subscribed("second", "$share/g/#");
        first.disconnect();
        second.disconnect();

        publish(100, "city/1");

        assertThat(first.delivered().size() + second.delivered().size()).isEqualTo(100);
    }

    @Test
    void aConnectedMemberIsFoundAmongManyAbsentOnes() {
        List<RecordingSession> away = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            RecordingSession session = subscribed("away-" + i, "$share/g/#");
            session.disconnect();
            trie.connectionChanged(session, filter("$share/g/#"));
            away.add(session);
        }
        int before = questions(away);
        publish(100, "city/1");
        assertThat(questions(away) - before).isLessThanOrEqualTo(100 * SharedSubscriptionSelector.ABSENT_TRIES);
        assertThat(away.stream().mapToInt(each -> each.delivered().size()).sum())
                .isEqualTo(100);

        RecordingSession there = away.get(250);
        there.reconnect();
        trie.connectionChanged(there, filter("$share/g/#"));
        int delivered = there.delivered().size();
        publish(100, "city/1");
        assertThat(there.delivered()).hasSize(delivered + 100);
    }

    @Test
    void theMemberWithCapacityIsFoundAmongManyWithout() {
        for (int i = 0; i < 100; i++) {
            subscribed("full-" + i, "$share/g/#").capacity(DeliveryCapacity.FULL);
        }
        RecordingSession idle = subscribed("idle", "$share/g/#");

        publish(1_000, "city/1");

        assertThat(idle.delivered()).hasSize(1_000);
    }

    private static int questions(List<RecordingSession> sessions) {
        return sessions.stream().mapToInt(RecordingSession::questions).sum();
    }

    @Test
    void aHundredThousandMembersJoinConnectAndLeaveInLittleTime() {
        SubscriptionTrie large = new SubscriptionTrie(new SubscriptionLimits(1, 1, 0, 100_000));
        List<RecordingSession> members = new ArrayList<>();
        TopicFilter shared = filter("$share/g/#");
        long began = cpuNanos();
        for (int i = 0; i < 100_000; i++) {
            RecordingSession member = new RecordingSession("member-" + i, loop);
            members.add(member);
            large.put(member, new Subscription(shared, QoS.AT_MOST_ONCE, false, false, 0));
        }
        for (RecordingSession member : members) {
            member.disconnect();
            large.connectionChanged(member, shared);
        }
        for (RecordingSession member : members) {
            assertThat(large.remove(member, shared)).isTrue();
        }

        // A quadratic algorithm would take minutes.
        assertThat(Duration.ofNanos(cpuNanos() - began)).isLessThan(Duration.ofSeconds(10));
        assertThat(large.size()).isZero();
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @Test
    void aMemberWithoutCapacityIsSkipped() {
        RecordingSession busy = subscribed("busy", "$share/g/#");
        RecordingSession full = subscribed("full", "$share/g/#");
        RecordingSession second = subscribed("second", "$share/g/#");
        RecordingSession third = subscribed("third", "$share/g/#");
        busy.capacity(DeliveryCapacity.QUEUEABLE);
        full.capacity(DeliveryCapacity.FULL);

        publish(1_000, "city/1");

        assertThat(busy.delivered()).isEmpty();
        assertThat(full.delivered()).isEmpty();
        assertThat(second.delivered().size()).isCloseTo(500, within(1));
        assertThat(third.delivered().size()).isCloseTo(500, within(1));
    }

    @Test
    void membersWithRoomQueueEqualSharesWhenNoneCanSendAtOnce() {
        List<RecordingSession> busy = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            RecordingSession session = subscribed("busy-" + i, "$share/g/#");
            session.capacity(DeliveryCapacity.QUEUEABLE);
            busy.add(session);
        }
        RecordingSession full = subscribed("full", "$share/g/#");

        full.capacity(DeliveryCapacity.QUEUEABLE);
        publish(1_600, "city/1");
        assertThat(busy).allSatisfy(each -> assertThat(each.delivered()).hasSize(100));
        full.capacity(DeliveryCapacity.FULL);
        publish(1_600, "city/1");
        assertThat(full.delivered()).hasSize(100);
        busy.forEach(each -> each.capacity(DeliveryCapacity.FULL));
        publish(16, "city/1");
        assertThat(full.delivered()).hasSize(101);
    }

    @Test
    void absentMembersWithRoomInTheirQueuesAreSelected() {
        RecordingSession full = subscribed("full", "$share/g/#");
        RecordingSession roomy = subscribed("roomy", "$share/g/#");
        full.capacity(DeliveryCapacity.FULL);
        for (RecordingSession session : List.of(full, roomy)) {
            session.disconnect();
            trie.connectionChanged(session, filter("$share/g/#"));
        }

        publish(100, "city/1");

        assertThat(full.delivered()).isEmpty();
        assertThat(roomy.delivered()).hasSize(100);
    }

    @Test
    void everyGroupOfAFilterGetsACopyAndSoDoesEveryOrdinarySubscriber() {
        RecordingSession inOne = subscribed("inOne", "$share/one/city/+");
        RecordingSession inOther = subscribed("inOther", "$share/other/city/+");
        RecordingSession ordinary = subscribed("ordinary", "city/+");

        assertThat(publish(1, "city/1")).isEqualTo(3);

        assertThat(inOne.delivered()).hasSize(1);
        assertThat(inOther.delivered()).hasSize(1);
        assertThat(ordinary.delivered()).hasSize(1);
    }

    @Test
    void sharedSubscriptionsOfAClientAreMergedNeitherWithItsOwnNorWithEachOther() {
        RecordingSession session = new RecordingSession("c", loop);
        subscribe(session, "$share/one/city/#", QoS.EXACTLY_ONCE, 1);
        subscribe(session, "city/#", QoS.AT_MOST_ONCE, 2);
        subscribe(session, "city/+", QoS.AT_LEAST_ONCE, 3);
        subscribe(session, "$share/one/city/+", QoS.AT_MOST_ONCE, 4);
        subscribe(session, "$share/two/city/+", QoS.AT_LEAST_ONCE, 5);

        assertThat(publish(1, "city/1")).isEqualTo(4);

        assertThat(session.delivered())
                .containsExactlyInAnyOrder(
                        shared(QoS.EXACTLY_ONCE, 1, "$share/one/city/#"),
                        new DeliveryTerms(QoS.AT_LEAST_ONCE, false, List.of(2, 3)),
                        shared(QoS.AT_MOST_ONCE, 4, "$share/one/city/+"),
                        shared(QoS.AT_LEAST_ONCE, 5, "$share/two/city/+"));
    }

    @Test
    void resubscribingReplacesTheOptionsOfAMember() {
        RecordingSession session = new RecordingSession("c", loop);
        subscribe(session, "$share/g/#", QoS.AT_MOST_ONCE, 1);
        subscribe(session, "$share/g/#", QoS.AT_LEAST_ONCE, 2);

        publish(1, "city/1");

        assertThat(session.delivered()).containsExactly(shared(QoS.AT_LEAST_ONCE, 2, "$share/g/#"));
    }

    @Test
    void aMessageHasNoRecipientAfterTheLastMemberHasLeft() {
        RecordingSession session = subscribed("c", "$share/g/#");
        trie.remove(session, filter("$share/g/#"));

        assertThat(publish(1, "city/1")).isZero();
    }

    @Test
    void aReusedPlanKeepsNoMemberOfTheEarlierMessage() {
        RecordingSession shared = subscribed("shared", "$share/g/city/+");
        RecordingSession other = subscribed("other", "village/+");

        publish(1, "city/1");
        publish(1, "village/1");

        assertThat(shared.delivered()).hasSize(1);
        assertThat(other.delivered()).hasSize(1);
    }

    private static DeliveryTerms shared(QoS qos, int identifier, String filter) {
        return new DeliveryTerms(qos, false, List.of(identifier), filter(filter));
    }

    private @Nullable NextChoice next() {
        return NextChoice.of(requireNonNull(trie.group(filter("$share/g/a"))));
    }

    @Test
    void theNextMemberIsTheOneThatGetsTheNextMessage() {
        List<RecordingSession> members = List.of(
                subscribed("first", "$share/g/a"),
                subscribed("second", "$share/g/a"),
                subscribed("third", "$share/g/a"));
        members.get(1).capacity(DeliveryCapacity.QUEUEABLE);

        for (int i = 0; i < 10; i++) {
            NextChoice next = next();
            assertThat(next()).isEqualTo(next);
            RoutingPlan plan = router.route(message("a"));
            assertThat(next)
                    .isEqualTo(new NextChoice.OfMember(plan.onLoop(0).session(0).clientId(), Fate.SENT));
        }

        members.forEach(each -> each.capacity(DeliveryCapacity.FULL));
        assertThat(next())
                .isInstanceOfSatisfying(
                        NextChoice.OfMember.class,
                        each -> assertThat(each.fate()).isEqualTo(Fate.OVERFLOWS));
    }

    private PersistentSubscriber away(String clientId, QoS qos) {
        PersistentSubscriber session = new PersistentSubscriber(new ClientId(clientId), ClientType.DEVICE, 0, 1);
        trie.put(session, new Subscription(filter("$share/g/a"), qos, false, false, 0));
        return session;
    }

    @Test
    void aMemberForWhichNothingIsStoredIsSkippedWhileItIsAway() {
        PersistentSubscriber atQos0 = away("at-qos-0", QoS.AT_MOST_ONCE);
        assertThat(next()).isEqualTo(new NextChoice.OfMember(atQos0.clientId(), Fate.LOST));
        PersistentSubscriber storing = away("storing", QoS.AT_LEAST_ONCE);

        for (int i = 0; i < 10; i++) {
            assertThat(next()).isEqualTo(new NextChoice.OfMember(storing.clientId(), Fate.STORED));
            RoutingPlan plan = router.route(message("a"));
            assertThat(plan.persistent().count()).isOne();
            assertThat(plan.persistent().session(0)).isSameAs(storing);
        }

        trie.put(storing, new Subscription(filter("$share/g/a"), QoS.AT_MOST_ONCE, false, false, 0));
        trie.put(atQos0, new Subscription(filter("$share/g/a"), QoS.AT_LEAST_ONCE, false, false, 0));
        assertThat(next()).isEqualTo(new NextChoice.OfMember(atQos0.clientId(), Fate.STORED));
        atQos0.node(new RemoteNode(new Incarnation(2, 1)));
        trie.connectionChanged(atQos0, filter("$share/g/a"));
        assertThat(next()).isEqualTo(new NextChoice.OfMember(atQos0.clientId(), Fate.SENT_ELSEWHERE));
    }

    @Test
    void anotherNodeWithMembersHasTurns() {
        RemoteNode other = new RemoteNode(new Incarnation(2, 1));
        trie.put(other, filter("$share/g/a"), RemoteNode.Interest.ACKNOWLEDGED, 1);
        assertThat(next()).isEqualTo(new NextChoice.OfNode(other.incarnation()));

        subscribed("here", "$share/g/a");
        Set<NextChoice> choices = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            choices.add(requireNonNull(next()));
            var _ = router.route(message("a"));
        }
        assertThat(choices)
                .containsExactlyInAnyOrder(
                        new NextChoice.OfNode(other.incarnation()),
                        new NextChoice.OfMember(new ClientId("here"), Fate.SENT));

        other.end();
        assertThat(next()).isEqualTo(new NextChoice.OfMember(new ClientId("here"), Fate.SENT));
    }

    private RecordingSession subscribed(String clientId, String filter) {
        RecordingSession session = new RecordingSession(clientId, loop);
        subscribe(session, filter, QoS.AT_MOST_ONCE, 0);
        return session;
    }

    private void subscribe(RecordingSession session, String filter, QoS qos, int identifier) {
        trie.put(session, new Subscription(filter(filter), qos, false, false, identifier));
    }

    /** Returns the number of copies of the last message. */
    private int publish(int messages, String topic) {
        PublishMessage message = message(topic);
        int copies = 0;
        for (int i = 0; i < messages; i++) {
            RoutingPlan plan = router.route(message);
            copies = plan.recipients();
            dispatcher.deliver(message, plan);
        }
        return copies;
    }

    private static TopicFilter filter(String text) {
        return TopicFilter.parse(text, LEVELS);
    }

    private static PublishMessage message(String topic) {
        return new PublishMessage(
                new ClientId("publisher"),
                TopicName.parse(topic, LEVELS),
                QoS.EXACTLY_ONCE,
                false,
                PublishProperties.NONE,
                BinaryData.wrap(new byte[1]),
                PublishMessage.NEVER_EXPIRES);
    }
}

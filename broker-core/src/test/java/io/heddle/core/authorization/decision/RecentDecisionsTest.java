package io.heddle.core.authorization.decision;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.heddle.core.authorization.Action;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.client.ClientId;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.ManualEventLoop;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sample of decisions of two event loops, by rules that deny topics below {@code secret/}. */
final class RecentDecisionsTest {
    private static final Instant STARTED = Instant.ofEpochSecond(1_000_000);

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final ManualEventLoop other = new ManualEventLoop(1);
    private final RecentDecisions decisions =
            new RecentDecisions(List.of(loop, other), new SteadyClock(() -> STARTED, loop::nanoTime));
    private final ActiveRules active = new ActiveRules(denying());

    private static RuleSet denying() {
        try {
            return RuleSet.read("default allow\ndeny all secret/# for everyone");
        } catch (RuleSyntaxException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    private static RuleSubject subject(String clientId, int port, String... groups) {
        return new RuleSubject(
                new ClientId(clientId),
                null,
                Map.of(),
                Set.of(groups),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private ClientRules client(String clientId) {
        return client(subject(clientId, 1));
    }

    private ClientRules client(RuleSubject subject) {
        return new ClientRules(active, subject, decisions.of(loop));
    }

    private static void publish(ClientRules client, String topic) {
        client.mayPublish(TopicName.parse(topic, 10), QoS.AT_MOST_ONCE, false);
    }

    private List<SampledDecision> samples() {
        return decisions.of(loop).samples();
    }

    private List<SampledDecision> samples(String clientId) {
        return samples().stream()
                .filter(each -> each.subject().clientId().value().equals(clientId))
                .toList();
    }

    private static long count(List<SampledDecision> samples) {
        return samples.stream().mapToLong(SampledDecision::count).sum();
    }

    @Test
    void aSampleHasWhatARehearsalNeeds() {
        loop.advance(Duration.ofSeconds(5));
        RuleSubject subject = subject("a", 1, "guests");
        ClientRules rules = client(subject);

        rules.mayPublish(TopicName.parse("open/a", 10), QoS.EXACTLY_ONCE, true);
        rules.decideSubscribe(TopicFilter.parse("secret/+", 10), QoS.AT_LEAST_ONCE);

        SampledDecision allowed = samples().getFirst();
        assertThat(allowed.subject()).isEqualTo(subject);
        assertThat(allowed.action()).isEqualTo(Action.PUBLISH);
        assertThat(allowed.topic()).isEqualTo("open/a");
        assertThat(allowed.qos()).isEqualTo(QoS.EXACTLY_ONCE);
        assertThat(allowed.retain()).isTrue();
        assertThat(allowed.isAllowed()).isTrue();
        assertThat(decisions.of(loop).millis(allowed.firstNanos()))
                .isEqualTo(STARTED.plusSeconds(5).toEpochMilli());
        SampledDecision denied = samples().getLast();
        assertThat(denied.action()).isEqualTo(Action.SUBSCRIBE);
        assertThat(denied.topic()).isEqualTo("secret/+");
        assertThat(denied.qos()).isEqualTo(QoS.AT_LEAST_ONCE);
        assertThat(denied.isAllowed()).isFalse();
        assertThat(decisions.of(other).samples()).isEmpty();
    }

    @Test
    void decisionsAreSampledBeforeThereAreRules() {
        publish(new ClientRules(new ActiveRules(RuleSet.NONE), subject("a", 1), decisions.of(loop)), "open/a");

        assertThat(samples("a")).hasSize(1);
    }

    @Test
    void grantedSubscriptionsAreNotSampledNorThoseThatAreCheckedAgain() {
        ClientRules rules = client("a");

        rules.decideSubscribe(TopicFilter.parse("open/#", 10), QoS.AT_MOST_ONCE);
        rules.decideSubscription(TopicFilter.parse("secret/#", 10), QoS.AT_MOST_ONCE);

        assertThat(samples()).isEmpty();
    }

    @Test
    void aSlowClientIsSampledEachTime() {
        ClientRules slow = client("slow");

        for (int i = 0; i < 20; i++) {
            publish(slow, "open/" + i);
            loop.advance(LoopDecisions.WINDOW);
        }

        assertThat(samples("slow")).hasSize(20);
    }

    @Test
    void aSlowClientIsSampledWhileOthersAreBusy() {
        ClientRules slow = client("slow");
        ClientRules busy = client("busy");

        for (int i = 0; i < 200_000; i++) {
            if (i % 10_000 == 5_000) {
                publish(slow, "open/" + i);
            }
            publish(busy, "open/busy");
            loop.spend(Duration.ofMillis(1));
        }

        assertThat(samples("slow")).hasSize(20);
    }

    @Test
    void aClientIsSampledAgainAfterABurst() {
        ClientRules client = client("a");
        for (int i = 0; i < 1_000; i++) {
            publish(client, "open/burst");
        }
        loop.spend(RecentDecisions.KEPT.plusSeconds(1));

        for (int i = 0; i <= LoopDecisions.DECISIONS_PER_READING; i++) {
            publish(client, "open/slow");
        }

        assertThat(samples("a")).extracting(SampledDecision::topic).containsExactly("open/slow");
    }

    @Test
    void theFasterAClientTheSmallerTheSampledPart() {
        ClientRules fast = client("fast");

        for (int i = 0; i < 100_000; i++) {
            publish(fast, "open/a");
        }

        assertThat(count(samples("fast"))).isBetween(8L, 40L);
        assertThat(samples("fast")).hasSize(1);
    }

    @Test
    void theFirstPublishesOfAClientAreAllSampled() {
        ClientRules client = client("a");

        for (int i = 0; i < LoopDecisions.FIRST_ALLOWED; i++) {
            publish(client, "open/" + i);
        }

        assertThat(samples("a")).hasSize(LoopDecisions.FIRST_ALLOWED);
    }

    @Test
    void aWillTakesNoPlaceOfTheMessages() {
        ClientRules client = client("a");
        client.mayPublishWill(TopicName.parse("open/will", 10), QoS.AT_MOST_ONCE, false);
        client.mayPublishWill(TopicName.parse("secret/will", 10), QoS.AT_MOST_ONCE, false);

        for (int i = 0; i < LoopDecisions.FIRST_ALLOWED; i++) {
            publish(client, "open/" + i);
        }

        assertThat(samples("a")).hasSize(LoopDecisions.FIRST_ALLOWED + 2);
        assertThat(samples("a")).extracting(SampledDecision::topic).contains("open/will", "open/0", "secret/will");
    }

    @Test
    void theFirstDeniedRequestsOfAClientAreAllCounted() {
        ClientRules client = client("a");

        for (int i = 0; i < LoopDecisions.FIRST_DENIED / 2; i++) {
            publish(client, "secret/a");
            client.decideSubscribe(TopicFilter.parse("secret/b", 10), QoS.AT_MOST_ONCE);
        }

        assertThat(samples("a")).extracting(SampledDecision::count).containsExactly(8L, 8L);
    }

    @Test
    void theMoreRequestsOfAClientAreDeniedTheSmallerTheSampledPart() {
        ClientRules publisher = client("publisher");
        ClientRules subscriber = client("subscriber");

        for (int i = 0; i < 100_000; i++) {
            publish(publisher, "secret/" + i);
            subscriber.decideSubscribe(TopicFilter.parse("secret/" + i, 10), QoS.AT_MOST_ONCE);
        }

        assertThat(samples("publisher")).hasSizeBetween(20, 60);
        assertThat(samples("subscriber")).hasSizeBetween(20, 60);
    }

    @Test
    void deniedRequestsOfAWindowHaveABudgetOfWhichHalfIsForTheFirstOfClients() {
        int room = RecentDecisions.MAXIMUM / 2 / 4;
        for (int i = 0; i < 100; i++) {
            ClientRules flood = client("flood" + i);
            for (int j = 0; j < 100; j++) {
                publish(flood, "secret/" + j);
            }
        }

        assertThat(count(samples())).isBetween(room / 2L, room / 2L + 100);
        ClientRules late = client("late");
        publish(late, "secret/first");
        publish(late, "secret/second");
        assertThat(samples("late")).extracting(SampledDecision::topic).containsExactly("secret/first");

        for (int i = 0; i < room; i++) {
            publish(client("c" + i), "secret/a");
        }
        assertThat(count(samples())).isEqualTo(room);
        assertThat(samples("late")).hasSize(1);

        loop.advance(LoopDecisions.WINDOW);
        for (int i = 0; i <= LoopDecisions.DECISIONS_PER_READING; i++) {
            publish(late, "secret/third");
        }
        assertThat(samples("late")).hasSize(2);
    }

    @Test
    void aClientWithManyTopicsDisplacesOnlyItself() {
        publish(client("quiet"), "open/quiet");
        publish(client("quiet"), "secret/quiet");
        ClientRules flood = client("flood");

        for (int i = 0; i < 20_000; i++) {
            publish(flood, "open/" + i);
            publish(flood, "secret/" + i);
            loop.spend(Duration.ofMillis(10));
        }

        assertThat(samples("quiet")).hasSize(2);
        assertThat(samples("flood"))
                .filteredOn(SampledDecision::isAllowed)
                .hasSizeBetween(20, DecisionTable.MAXIMUM_OF_CLIENT);
        assertThat(samples("flood"))
                .filteredOn(each -> !each.isAllowed())
                .hasSize(DecisionTable.MAXIMUM_OF_CLIENT)
                .extracting(SampledDecision::topic)
                .anyMatch(topic -> topic.startsWith("secret/19"))
                .doesNotContain("secret/0");
    }

    @Test
    void allowedRequestsOfManyClientsDisplaceNoDeniedOne() {
        publish(client("denied"), "secret/a");

        for (int i = 0; i < 3 * RecentDecisions.MAXIMUM; i++) {
            publish(client("c" + i), "open/a");
            loop.spend(Duration.ofMillis(10));
        }

        assertThat(samples("denied")).hasSize(1);
        assertThat(samples()).hasSize(1 + RecentDecisions.MAXIMUM / 2 * 3 / 4);
        assertThat(samples("c0")).isEmpty();
        assertThat(samples("c" + (3 * RecentDecisions.MAXIMUM - 1))).hasSize(1);
    }

    @Test
    void longTopicsCountWithTheirLength() {
        String filler = "x".repeat(50_000);

        for (int i = 0; i < 200; i++) {
            publish(client("c" + i), "open/" + i + filler);
            publish(client("c" + i), "secret/" + i + filler);
        }

        assertThat(samples().stream().mapToLong(SampledDecision::bytes).sum())
                .isBetween(RecentDecisions.MAXIMUM_BYTES / 4, RecentDecisions.MAXIMUM_BYTES / 2);
        assertThat(samples("c199")).hasSize(2);
    }

    @Test
    void aTopicThatExceedsTheShareOfAClientIsNotKept() {
        publish(client("a"), "secret/" + "x".repeat((int) (RecentDecisions.MAXIMUM_BYTES / 2 / 4 / 8)));
        publish(client("a"), "secret/short");

        assertThat(samples("a")).extracting(SampledDecision::topic).containsExactly("secret/short");
    }

    @Test
    void aLoopSamplesAtMostItsRoomInAWindow() {
        for (int i = 0; i < 5_000; i++) {
            publish(client("c" + i), "open/a");
        }

        assertThat(samples("c0"))
                .as("those after the room is used up displace no other samples")
                .hasSize(1);
        assertThat(samples("c4999")).isEmpty();
    }

    @Test
    void samplesExpire() {
        ClientRules client = client("a");
        publish(client, "open/a");
        publish(client, "secret/a");
        loop.advance(RecentDecisions.KEPT);
        assertThat(samples()).hasSize(2);

        loop.advance(Duration.ofMillis(1));
        assertThat(samples()).isEmpty();

        publish(client, "secret/a");
        assertThat(samples()).extracting(SampledDecision::count).containsExactly(1L);
        publish(client("b"), "secret/a");
        assertThat(samples()).hasSize(2);
    }

    @Test
    void aDecisionThatIsRepeatedStays() {
        ClientRules client = client("a");

        for (int minute = 0; minute < 15; minute++) {
            publish(client, "secret/a");
            loop.advance(Duration.ofMinutes(1));
        }

        assertThat(samples()).extracting(SampledDecision::count).containsExactly(4L);
    }

    @Test
    void theNextConnectionOfAClientContinuesItsSamples() {
        publish(client(subject("a", 1)), "secret/a");
        publish(client(subject("a", 2)), "secret/a");
        publish(client(subject("a", 3, "guests")), "secret/a");

        assertThat(samples()).extracting(SampledDecision::count).containsExactly(2L, 1L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"open/", "secret/"})
    void aDecisionThatIsNotSampledAllocatesNothing(String prefix) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<TopicName> topics = new ArrayList<>();
        for (int i = 0; i < 1_024; i++) {
            topics.add(TopicName.parse(prefix + i, 10));
        }
        ClientRules client = client("a");
        for (int i = 0; i < 200_000; i++) {
            client.mayPublish(topics.get(i % 1_024), QoS.AT_MOST_ONCE, false);
        }

        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100_000; i++) {
            client.mayPublish(topics.get(i % 1_024), QoS.AT_MOST_ONCE, false);
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(allocated)
                .as("bytes of 100,000 decisions, of which some are sampled")
                .isLessThan(10_000);
    }
}

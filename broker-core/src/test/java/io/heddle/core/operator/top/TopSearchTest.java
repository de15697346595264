package io.heddle.core.operator.top;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientType;
import io.heddle.core.client.Rates;
import io.heddle.core.client.activity.Ranking;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.operator.query.TwoNodesFixture;
import io.heddle.core.operator.top.TopSearch.Answer;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two nodes, of which the first one is asked. */
final class TopSearchTest extends TwoNodesFixture {
    private final TestNode here = new TestNode();
    private final TestNode there = new TestNode();
    private final TopSearch search = search(here, a);

    TopSearchTest() {
        var _ = search(there, b);
    }

    private TopSearch search(TestNode node, Incarnation self) {
        TopSearch created = new TopSearch(questions(self), node.clock);
        created.answer(node.sessions);
        return created;
    }

    private Top find() throws Exception {
        return ask(search::find, here, there);
    }

    private SlowClient slow() throws Exception {
        return ask(() -> search.findSlow(1), here, there).clients().getFirst().client();
    }

    @Test
    void theActivityOfAllNodesIsAddedUp() throws Exception {
        TestClient one = here.connect("one").subscribe(QoS.AT_MOST_ONCE, "x", "y");
        TestClient two = there.connect("two").subscribe(QoS.AT_LEAST_ONCE, "t");
        one.publish("t", "abc");
        two.publish("t", "abc");
        two.publish("t", "abcdef", QoS.AT_LEAST_ONCE, 1);
        here.advance(Duration.ofSeconds(3));
        there.advance(Duration.ofSeconds(3));

        Top top = find();

        assertThat(top.missingNodes()).isEmpty();
        assertThat(top.of(Ranking.CLIENT_MESSAGES_IN)).isEqualTo(new Rates(1, Map.of("one", 1 / 3.0, "two", 2 / 3.0)));
        assertThat(top.of(Ranking.TOPIC_BYTES_IN)).isEqualTo(new Rates(4, Map.of("t", 4.0)));
        assertThat(top.of(Ranking.CLIENT_BYTES_OUT)).isEqualTo(new Rates(3, Map.of("two", 3.0)));
        assertThat(top.of(Ranking.CLIENT_CONNECTS).byKey()).containsOnlyKeys("one", "two");
        assertThat(top.of(Ranking.CLIENT_SUBSCRIPTIONS)).isEqualTo(new Rates(3, Map.of("one", 2.0, "two", 1.0)));
        assertThat(top.of(Ranking.CLIENT_WAITING)).isEqualTo(new Rates(1, Map.of("two", 1.0)));
    }

    @Test
    void aClientThatMissesMessagesIsRanked() throws Exception {
        there.connect("slow").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = there.connect("publisher");
        // The window of the client has 4 messages, its queue another 4.
        for (int i = 1; i <= 11; i++) {
            publisher.publish("t", "m", QoS.AT_LEAST_ONCE, i);
        }
        there.advance(Duration.ofSeconds(30));

        Top top = find();

        assertThat(top.of(Ranking.CLIENT_DROPS).byKey()).containsOnlyKeys("slow");
        assertThat(top.of(Ranking.CLIENT_DROPS).total()).isPositive();
        assertThat(top.of(Ranking.CLIENT_WAITING).byKey()).containsEntry("slow", 8.0);
    }

    @Test
    void aClientThatDoesNotAcknowledgeIsSlowUntilItHasCaughtUp() throws Exception {
        TestClient slow = there.connect("slow").subscribe(QoS.AT_LEAST_ONCE, "t");
        there.connect("quick").subscribe(QoS.AT_LEAST_ONCE, "other");
        TestClient publisher = there.connect("publisher");
        long before = there.clock.millis();
        // The window of the client has 4 messages.
        for (int i = 1; i <= 5; i++) {
            publisher.publish("t", "m", QoS.AT_LEAST_ONCE, i);
        }
        there.advance(Duration.ofSeconds(20));

        SlowClients found = ask(() -> search.findSlow(10), here, there);

        assertThat(found.missingNodes()).isEmpty();
        assertThat(found.clients()).hasSize(1);
        assertThat(found.clients().getFirst().node()).isEqualTo("b");
        assertThat(found.clients().getFirst().client())
                .returns("slow", SlowClient::clientId)
                .returns(before, SlowClient::sinceMillis)
                .returns(5L, SlowClient::waiting)
                .returns(4, SlowClient::inFlight)
                .returns(4, SlowClient::maximumWaiting);
        assertThat(found.clients().getFirst().client().growth()).isNaN();
        assertThat(found.clients().getFirst().client().advice()).startsWith("It has not acknowledged 4 messages");

        publisher.publish("t", "m", QoS.AT_LEAST_ONCE, 6);
        there.advance(Duration.ofSeconds(10));
        assertThat(slow().growth()).isEqualTo(0.1);

        for (PublishPacket each : List.copyOf(slow.messages())) {
            slow.pubAck(each.packetId());
        }
        there.advance(Duration.ofSeconds(10));
        assertThat(ask(() -> search.findSlow(10), here, there).clients()).isEmpty();
    }

    @Test
    void theTimeUntilAQueueIsFullFollowsFromItsGrowth() {
        SlowClient client = new SlowClient("c", ClientType.DEVICE, null, 0, 600, 20, 10, 20, false, false, 1_000);

        assertThat(client.secondsUntilFull()).isEqualTo(20);
        assertThat(client.withGrowth(-1).secondsUntilFull()).isNaN();
        assertThat(client.advice()).startsWith("It does not read from its connection");
    }

    @Test
    void aNodeThatDoesNotAnswerIsNamed() throws Exception {
        links.cut(a, b);
        here.connect("one");

        Top top = find();

        assertThat(top.missingNodes()).containsExactly("b");
        assertThat(top.of(Ranking.CLIENT_CONNECTS).byKey()).containsOnlyKeys("one");
    }

    @Test
    void anAnswerHasTheHighestValuesThatFit() {
        Map<String, Double> values = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            values.put("client-%03d-%s".formatted(i, "x".repeat(200)), (double) i);
        }

        Answer answer = TopSearch.highest(Map.of(Ranking.CLIENT_WAITING, new Rates(4_950, values)), 100, 24_000);

        Rates fitting =
                requireNonNull(answer.rankings().get(Ranking.CLIENT_WAITING)).toRates();
        assertThat(fitting.total()).isEqualTo(4_950);
        assertThat(fitting.byKey()).hasSizeBetween(5, 9);
        assertThat(fitting.byKey().values()).allMatch(value -> value > 90);
    }
}

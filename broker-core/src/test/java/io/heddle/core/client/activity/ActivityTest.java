package io.heddle.core.client.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.Rates;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ActivityTest {
    private final ManualEventLoop first = new ManualEventLoop(0);
    private final ManualEventLoop second = new ManualEventLoop(1);
    private final Activity activity = new Activity();

    private Rates rates(Ranking ranking) {
        return rates().getOrDefault(ranking, Rates.NONE);
    }

    private Map<Ranking, Rates> rates() {
        var result = activity.rates().toCompletableFuture();
        first.runTasks();
        second.runTasks();
        return result.join();
    }

    private static void publish(LoopActivity at, String clientId, String topic, int bytes) {
        at.published(new ClientId(clientId), TopicName.parse(topic, 10), bytes);
    }

    @Test
    void messagesOfAllEventLoopsAreCountedByClientAndTopic() {
        first.advance(Duration.ofSeconds(10));
        second.advance(Duration.ofSeconds(10));
        LoopActivity one = activity.of(first);
        LoopActivity other = activity.of(second);
        for (int i = 0; i < 20; i++) {
            publish(one, "a", "t", 100);
            publish(other, "b", "t", 1);
            other.delivered(new ClientId("c"), TopicName.parse("t", 10), 1);
        }
        other.connected(new ClientId("c"));
        first.advance(Duration.ofSeconds(20));
        second.advance(Duration.ofSeconds(20));

        Map<Ranking, Rates> rates = rates();

        assertThat(rates.get(Ranking.CLIENT_MESSAGES_IN)).isEqualTo(new Rates(2, Map.of("a", 1.0, "b", 1.0)));
        assertThat(rates.get(Ranking.CLIENT_BYTES_IN)).isEqualTo(new Rates(101, Map.of("a", 100.0, "b", 1.0)));
        assertThat(rates.get(Ranking.TOPIC_MESSAGES_IN)).isEqualTo(new Rates(2, Map.of("t", 2.0)));
        assertThat(rates.get(Ranking.TOPIC_BYTES_OUT)).isEqualTo(new Rates(1, Map.of("t", 1.0)));
        assertThat(rates.get(Ranking.CLIENT_CONNECTS)).isEqualTo(new Rates(0.05, Map.of("c", 0.05)));
    }

    @Test
    void anEventLoopThatHasCountedForAShorterTimeHasTheSameRates() {
        LoopActivity one = activity.of(first);
        first.advance(Duration.ofSeconds(10));
        second.advance(Duration.ofSeconds(10));
        LoopActivity other = activity.of(second);
        for (int i = 0; i < 20; i++) {
            publish(one, "a", "t", 0);
            publish(other, "b", "t", 0);
        }
        first.advance(Duration.ofSeconds(10));
        second.advance(Duration.ofSeconds(10));

        assertThat(rates(Ranking.CLIENT_MESSAGES_IN)).isEqualTo(new Rates(2, Map.of("a", 1.0, "b", 1.0)));
    }

    @Test
    void theWindowBeforeCountsAndOlderOnesDoNot() {
        LoopActivity one = activity.of(first);
        publish(one, "a", "t", 0);
        first.advance(Duration.ofSeconds(30));
        publish(one, "b", "t", 0);
        first.advance(Duration.ofSeconds(20));

        assertThat(rates(Ranking.CLIENT_MESSAGES_IN).byKey()).containsOnlyKeys("a", "b");

        first.advance(Duration.ofSeconds(10));
        assertThat(rates(Ranking.CLIENT_MESSAGES_IN).byKey()).containsOnlyKeys("b");

        first.advance(Duration.ofSeconds(60));
        assertThat(rates(Ranking.CLIENT_MESSAGES_IN)).isEqualTo(new Rates(0, Map.of()));
    }

    @Test
    void ofALongTopicTheBeginningCounts() {
        publish(activity.of(first), "a", "x".repeat(300), 0);
        publish(activity.of(first), "a", "x".repeat(299), 0);

        assertThat(rates(Ranking.TOPIC_MESSAGES_IN).byKey()).containsOnlyKeys("x".repeat(256));
    }
}

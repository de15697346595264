package io.heddle.core.sys;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SysTopicsTest {
    private final SysTopics topics =
            new SysTopics(SysReaders.AUTHENTICATED, new SteadyClock(() -> Instant.EPOCH, () -> 0));

    private static List<String> text(List<PublishMessage> messages) {
        return messages.stream()
                .map(each -> each.topic() + "=" + new String(each.payload().array(), StandardCharsets.UTF_8))
                .sorted()
                .toList();
    }

    private int matching(String filter) {
        return topics.matching(TopicFilter.parse(filter, 64)).size();
    }

    @ParameterizedTest
    @CsvSource({
        "$SYS/#,3",
        "$SYS/broker/#,3",
        "$SYS/broker/uptime,1",
        "$SYS/broker/uptime/#,1",
        "$SYS/broker/+,1",
        "$SYS/+/+/count,1",
        "$SYS/broker/clients/+,1",
        "$SYS,0",
        "$SYS/broker,0",
        "$SYS/broker/uptime/+,0",
        "$SYSTEM/#,0",
        "$sys/#,0",
        "#,0",
        "+/broker/uptime,0",
        "+/#,0"
    })
    void filtersMatchAsThoseOfOtherTopicsDo(String filter, int expected) {
        topics.replace(Map.of(
                "$SYS/broker/uptime",
                "1",
                "$SYS/broker/clients/total",
                "2",
                "$SYS/broker/retained messages/count",
                "3"));

        assertThat(matching(filter)).isEqualTo(expected);
    }

    @Test
    void onlyChangedValuesAreTold() {
        topics.replace(Map.of("$SYS/a", "1", "$SYS/b", "1"));

        List<PublishMessage> changed = topics.replace(Map.of("$SYS/a", "1", "$SYS/b", "2", "$SYS/c", "3"));

        assertThat(text(changed)).containsExactly("$SYS/b=2", "$SYS/c=3");
        assertThat(text(topics.matching(TopicFilter.parse("$SYS/#", 8))))
                .containsExactly("$SYS/a=1", "$SYS/b=2", "$SYS/c=3");
    }

    @Test
    void aValueThatEndsIsToldWithoutAPayload() {
        topics.replace(Map.of("$SYS/a", "1", "$SYS/b", "1"));

        assertThat(text(topics.replace(Map.of("$SYS/a", "1")))).containsExactly("$SYS/b=");
        assertThat(matching("$SYS/b")).isZero();
        assertThat(topics.replace(Map.of("$SYS/a", "1"))).isEmpty();
    }
}

package io.heddle.core.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.testkit.Conformance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TopicFilterTest {
    private static final int LEVELS = 8;

    @Conformance(
            value = {"MQTT-4.7.1-1", "MQTT-4.7.1-2", "MQTT-4.8.2-1"},
            mqtt311 = {"MQTT-4.7.1-2", "MQTT-4.7.1-3"})
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "/",
                "a/b",
                "+",
                "#",
                "+/+/#",
                "a//b",
                "/a/",
                "$SYS/#",
                "$share/g/a",
                "$share/g/#",
                "$share/g//",
                "$share"
            })
    void wellFormedFiltersAreAccepted(String text) {
        assertThat(TopicFilter.parse(text, LEVELS).value()).isEqualTo(text);
    }

    @Conformance(
            value = {"MQTT-4.7.1-1", "MQTT-4.7.1-2", "MQTT-4.7.3-1", "MQTT-4.8.2-1", "MQTT-4.8.2-2"},
            mqtt311 = {"MQTT-4.7.1-2", "MQTT-4.7.1-3", "MQTT-4.7.3-1"})
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a#",
                "#/a",
                "a/#/b",
                "a+",
                "+a/b",
                "a/b+",
                "##",
                "$share/",
                "$share/g",
                "$share/g/",
                "$share//a",
                "$share/+/a",
                "$share/g#/a",
                "$share/g/a#",
                "a\u0001",
                "a/\u007F",
                "\u009F"
            })
    void malformedFiltersAreRejected(String text) {
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> TopicFilter.parse(text, LEVELS))
                .returns(ReasonCode.MALFORMED_PACKET, ProtocolException::reason);
    }

    @Test
    void filterWithTooManyLevelsIsRejected() {
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> TopicFilter.parse("1/2/3/4/5/6/7/8/9", LEVELS))
                .returns(ReasonCode.TOPIC_FILTER_INVALID, ProtocolException::reason);
    }

    @Test
    void aSharedSubscriptionKeepsItsShareNameApartFromItsLevels() {
        TopicFilter filter = TopicFilter.parse("$share/group/a/+/#", LEVELS);

        assertThat(filter.shareName()).isEqualTo("group");
        assertThat(filter.levelCount()).isEqualTo(3);
        assertThat(filter.level(0)).isEqualTo("a");
        assertThat(filter.isSingleLevelWildcard(1)).isTrue();
        assertThat(filter.isMultiLevelWildcard(2)).isTrue();
    }

    @Conformance(
            value = {"MQTT-3.3.2-2", "MQTT-4.7.0-1", "MQTT-4.7.3-1"},
            mqtt311 = {"MQTT-3.3.2-2", "MQTT-4.7.1-1", "MQTT-4.7.3-1"})
    @ParameterizedTest
    @ValueSource(strings = {"", "a/+", "#", "a#b", "1/2/3/4/5/6/7/8/9", "a\u001F", "a\u007F", "\u0080"})
    void invalidTopicNamesAreRejected(String text) {
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> TopicName.parse(text, LEVELS))
                .returns(ReasonCode.TOPIC_NAME_INVALID, ProtocolException::reason);
    }

    @Test
    void emptyLevelsOfATopicNameAreLevels() {
        TopicName topic = TopicName.parse("/a//", LEVELS);

        assertThat(topic.levelCount()).isEqualTo(4);
        assertThat(topic.level(0)).isEmpty();
        assertThat(topic.level(1)).isEqualTo("a");
        assertThat(topic.level(3)).isEmpty();
        assertThat(topic.isDollarTopic()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "/", "a//b", "plant/7/3/5/temperature", "/Aa/BB/", "höhe/温度/\uD83C\uDF21", "$SYS/x"})
    void levelsAreComparedAndHashedInPlace(String text) {
        TopicName topic = TopicName.parse(text, LEVELS);
        String[] levels = text.split("/", -1);

        assertThat(topic.levelCount()).isEqualTo(levels.length);
        for (int i = 0; i < levels.length; i++) {
            assertThat(topic.level(i)).isEqualTo(levels[i]);
            assertThat(topic.levelHash(i)).isEqualTo(levels[i].hashCode());
            assertThat(topic.levelEquals(i, levels[i])).isTrue();
            assertThat(topic.levelEquals(i, levels[i] + "/")).isFalse();
            assertThat(topic.levelEquals(i, levels[i] + "x")).isFalse();
            assertThat(topic.levelEquals(i, "x" + levels[i])).isFalse();
            assertThat(topic.levelEquals(i, "")).isEqualTo(levels[i].isEmpty());
        }
    }

    @Test
    void levelsOfAFilterExcludeItsShareName() {
        assertThat(TopicFilter.parse("$share/g//a/+/#", LEVELS).levels()).containsExactly("", "a", "+", "#");
        assertThat(TopicFilter.parse("$share/g/a", LEVELS).isShared()).isTrue();
        assertThat(TopicFilter.parse("$share", LEVELS).levels()).containsExactly("$share");
        assertThat(TopicFilter.parse("$share", LEVELS).isShared()).isFalse();
        assertThat(TopicFilter.parse("a/", LEVELS).levels()).containsExactly("a", "");
    }
}

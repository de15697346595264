package io.heddle.core.retained;

import static io.heddle.core.retained.Publications.found;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.testkit.Conformance;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class RetainedMessagesTest {
    private final Publications publications = new Publications();
    private final RetainedMessages retained = publications.following(Publications.ROOMY);

    private RetainOutcome store(String topic, String payload) {
        return retained.store(publications.message(topic, payload));
    }

    private RetainOutcome storeExpiring(String topic, String payload, long seconds) {
        return retained.store(publications.expiring(topic, payload, seconds));
    }

    @Conformance(value = "MQTT-3.3.1-5", mqtt311 = "MQTT-3.3.1-5")
    @Test
    void newMessageReplacesThePreviousOneOfItsTopic() {
        assertThat(store("a/b", "1")).isEqualTo(RetainOutcome.Done.STORED);
        assertThat(store("a/b", "2")).isEqualTo(RetainOutcome.Done.REPLACED);

        assertThat(found(retained, "a/b")).containsExactly("a/b=2");
        assertThat(retained.size()).isOne();
        assertThat(publications.counted("heddle.retained.stored")).isEqualTo(2);
    }

    @Conformance(
            value = {"MQTT-3.3.1-6", "MQTT-3.3.1-7"},
            mqtt311 = {"MQTT-3.3.1-10", "MQTT-3.3.1-11"})
    @Test
    void emptyPayloadRemovesTheMessageOfItsTopic() {
        store("a/b", "1");
        store("a/b/c", "2");

        assertThat(store("a/b", "")).isEqualTo(RetainOutcome.Done.REMOVED);
        assertThat(store("a/b", "")).isEqualTo(RetainOutcome.Done.NOTHING_TO_REMOVE);
        assertThat(store("a", "")).isEqualTo(RetainOutcome.Done.NOTHING_TO_REMOVE);
        assertThat(store("x/y", "")).isEqualTo(RetainOutcome.Done.NOTHING_TO_REMOVE);

        assertThat(found(retained, "#")).containsExactly("a/b/c=2");
        assertThat(publications.counted("heddle.retained.removed")).isEqualTo(1);
    }

    @Conformance("MQTT-3.3.1-5")
    @Test
    void messageIsFoundWithAllItsProperties() {
        PublishProperties properties = new PublishProperties(
                60,
                true,
                "text/plain",
                TopicName.parse("answers/here", 8),
                BinaryData.wrap(new byte[] {1, 2}),
                List.of(new UserProperty("k", "v"), new UserProperty("k", "w")));
        PublishMessage message = publications.message("somebody", "/a//ü", "hello", properties);
        retained.store(message);

        PublishMessage kept = Publications.cursor(retained, "/a//ü").next(100);

        assertThat(kept).isEqualTo(message);
    }

    @Conformance(value = "MQTT-4.7.2-1", mqtt311 = "MQTT-4.7.2-1")
    @Test
    void wildcardsMatchAsTheStandardSpecifies() {
        for (String topic : List.of("a", "a/b", "a/b/c", "a//c", "/a", "a/", "$SYS/a", "$x", "b")) {
            store(topic, "m");
        }

        assertThat(found(retained, "#")).containsExactly("/a=m", "a=m", "a/=m", "a//c=m", "a/b=m", "a/b/c=m", "b=m");
        assertThat(found(retained, "+")).containsExactly("a=m", "b=m");
        assertThat(found(retained, "a/#")).containsExactly("a=m", "a/=m", "a//c=m", "a/b=m", "a/b/c=m");
        assertThat(found(retained, "a/+")).containsExactly("a/=m", "a/b=m");
        assertThat(found(retained, "a/+/c")).containsExactly("a//c=m", "a/b/c=m");
        assertThat(found(retained, "+/+")).containsExactly("/a=m", "a/=m", "a/b=m");
        assertThat(found(retained, "+/a")).containsExactly("/a=m");
        assertThat(found(retained, "$SYS/#")).containsExactly("$SYS/a=m");
        assertThat(found(retained, "$SYS/+")).containsExactly("$SYS/a=m");
        assertThat(found(retained, "$x/#")).containsExactly("$x=m");
        assertThat(found(retained, "a/b/c/d")).isEmpty();
        assertThat(found(retained, "a/b/c/#")).containsExactly("a/b/c=m");
        assertThat(found(retained, "c")).isEmpty();
    }

    @Conformance("MQTT-3.3.2-5")
    @Test
    void expiredMessageIsNotFoundBeforeItsRemoval() {
        storeExpiring("a/b", "1", 10);
        store("a/c", "2");
        publications.pass(Duration.ofSeconds(10));

        assertThat(retained.size()).isEqualTo(2);
        assertThat(found(retained, "a/+")).containsExactly("a/c=2");
        assertThat(retained.size()).isEqualTo(2);

        assertThat(expireAll()).isOne();
        assertThat(retained.size()).isOne();
        assertThat(publications.counted("heddle.retained.expired")).isEqualTo(1);
    }

    @Test
    void messageExpiredOnArrivalClearsItsTopic() {
        store("a", "1");

        assertThat(storeExpiring("a", "2", 0)).isEqualTo(RetainOutcome.Done.REMOVED);
        assertThat(storeExpiring("a", "2", 0)).isEqualTo(RetainOutcome.Done.NOTHING_TO_REMOVE);

        assertThat(found(retained, "a")).isEmpty();
    }

    @Test
    void housekeepingFreesExpiredMessages() {
        for (int i = 0; i < 1_000; i++) {
            storeExpiring("$hidden/" + i + "/x", "1", 10);
            storeExpiring("a/" + i, "1", 20);
            storeExpiring("b/" + i, "1", 10);
        }
        store("b/stays", "1");
        assertThat(expireAll()).isZero();
        publications.pass(Duration.ofSeconds(10));

        assertThat(expireAll()).isEqualTo(2_000);
        assertThat(retained.size()).isEqualTo(1_001);
        publications.pass(Duration.ofSeconds(10));
        assertThat(expireAll()).isEqualTo(1_000);

        assertThat(found(retained, "#")).containsExactly("b/stays=1");
        assertThat(retained.nodeCount()).isEqualTo(3);
        assertThat(publications.counted("heddle.retained.expired")).isEqualTo(3_000);
        assertThat(retained.expireSome(1_000, publications.log)).isZero();
    }

    /** Two sweeps in small steps: the first may continue an earlier one. */
    private int expireAll() {
        int expired = 0;
        int visits = 4 * retained.nodeCount();
        for (int done = 0; done < visits; done += 50) {
            int before = retained.size();
            int now = retained.expireSome(50, publications.log);
            assertThat(now).isLessThanOrEqualTo(50).isEqualTo(before - retained.size());
            expired += now;
        }
        return expired;
    }

    @Test
    void replacedMessageExpiresByItsOwnInterval() {
        storeExpiring("a", "1", 10);
        store("a", "2");
        publications.pass(Duration.ofSeconds(20));
        assertThat(found(retained, "a")).containsExactly("a=2");

        storeExpiring("a", "3", 10);
        publications.pass(Duration.ofSeconds(10));
        assertThat(retained.expireSome(10, publications.log)).isOne();
        assertThat(retained.nodeCount()).isOne();
    }

    @Test
    void removingAllMessagesLeavesAnEmptyTrie() {
        List<String> topics = List.of("a", "a/b/c/d", "a/b/x", "/", "//", "$x/y", "a/b");
        PublishProperties properties = new PublishProperties(
                5,
                null,
                "€",
                TopicName.parse("r/t", 8),
                BinaryData.wrap(new byte[9]),
                List.of(new UserProperty("", "")));
        for (String topic : topics) {
            retained.store(publications.message("c", topic, "payload", properties));
            store(topic, "another payload");
        }
        assertThat(retained.bytes()).isPositive();
        assertThat(publications.metrics.get("heddle.retained.messages").gauge().value())
                .isEqualTo(topics.size());
        assertThat(publications.metrics.get("heddle.retained.bytes").gauge().value())
                .isEqualTo((double) retained.bytes());

        topics.forEach(topic -> store(topic, ""));

        assertThat(retained.size()).isZero();
        assertThat(retained.bytes()).isZero();
        assertThat(retained.nodeCount()).isOne();
    }

    @Test
    void cursorResumesAfterItsCurrentNodeIsRemoved() {
        for (int i = 0; i < 200; i++) {
            store(String.format("a/%03d", i), "m");
        }
        RetainedCursor cursor = Publications.cursor(retained, "a/#");
        for (int i = 0; i < 100; i++) {
            PublishMessage next = nextOf(cursor);
            assertThat(next.topic().value()).isEqualTo(String.format("a/%03d", i));
        }
        for (int i = 50; i < 180; i++) {
            store(String.format("a/%03d", i), "");
        }
        store("a/0000", "behind the cursor");
        store("a/1985", "ahead of it");

        StringBuilder rest = new StringBuilder();
        while (!cursor.isDone()) {
            PublishMessage next = cursor.next(10);
            if (next != null) {
                rest.append(next.topic()).append(' ');
            }
        }
        assertThat(rest.toString())
                .startsWith("a/180 a/181")
                .endsWith("a/198 a/1985 a/199 ")
                .doesNotContain("a/0000");
    }

    private static PublishMessage nextOf(RetainedCursor cursor) {
        PublishMessage next = null;
        while (next == null) {
            assertThat(cursor.isDone()).isFalse();
            next = cursor.next(10);
        }
        return next;
    }

    @Test
    void storingIsIdempotent() {
        PublishMessage message = publications.expiring("a/b", "1", 30);
        retained.store(message);
        long bytes = retained.bytes();

        assertThat(retained.store(message)).isEqualTo(RetainOutcome.Done.REPLACED);

        assertThat(retained.bytes()).isEqualTo(bytes);
        assertThat(retained.size()).isOne();
        assertThat(retained.nodeCount()).isEqualTo(3);
        assertThat(Publications.cursor(retained, "a/b").next(10)).isEqualTo(message);
    }

    @Conformance(value = "MQTT-4.7.3-4", mqtt311 = "MQTT-4.7.3-4")
    @Test
    void topicsOfAnyLengthAndScriptAreFoundUnchanged() {
        String[] topics = {
            "a",
            "/",
            "//",
            "/a",
            "a/",
            "a//b",
            "ü/日本/🌡",
            "a".repeat(200) + "/b",
            "x/" + "ab/".repeat(30) + "c",
            "y/" + "z".repeat(3_000)
        };
        for (String topic : topics) {
            assertThat(retained.store(publications.message(topic, "1"))).isEqualTo(RetainOutcome.Done.STORED);
        }
        for (int round = 0; round < 2; round++) {
            for (String topic : topics) {
                assertThat(found(retained, topic)).containsExactly(topic + "=1");
            }
        }
        assertThat(found(retained, "#")).hasSize(topics.length).contains("x/" + "ab/".repeat(30) + "c=1", "ü/日本/🌡=1");
        PublishMessage message = Objects.requireNonNull(
                retained.matching(TopicFilter.parse("x/#", 64)).next(1_000));
        TopicName parsed = TopicName.parse(message.topic().value(), 64);
        assertThat(message.topic()).isEqualTo(parsed);
        assertThat(message.topic().levelCount()).isEqualTo(parsed.levelCount());
        assertThat(message.topic().levelHash(31)).isEqualTo("c".hashCode());
    }

    /** Formerly 462 bytes, mostly for parsing the topic again. */
    @Test
    void findAllocatesLittleMoreThanItsResult() {
        for (int i = 0; i < 1_000; i++) {
            store("plant/hall-" + i % 10 + "/machine-" + i + "/temperature/value", "20");
        }
        assertThat(drain()).isEqualTo(1_000);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        int messages = 0;
        for (int round = 0; round < 10; round++) {
            messages += drain();
        }
        long bytesEach = (threads.getCurrentThreadAllocatedBytes() - before) / messages;

        assertThat(bytesEach).isLessThan(300);
    }

    private int drain() {
        RetainedCursor cursor = retained.matching(TopicFilter.parse("plant/#", 8));
        int messages = 0;
        while (!cursor.isDone()) {
            messages += cursor.next(1_000) == null ? 0 : 1;
        }
        return messages;
    }
}

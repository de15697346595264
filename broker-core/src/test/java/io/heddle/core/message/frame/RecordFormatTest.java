package io.heddle.core.message.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.AddressRange;
import io.heddle.core.client.ClientId;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordFormatTest {
    private static final RecordFormat<Everything> FORMAT = RecordFormat.of(Everything.class);

    private static final Everything FULL = new Everything(
            true,
            -7,
            Long.MIN_VALUE,
            Double.NaN,
            "gr\u00fcn",
            new Choice.Count(5),
            QoS.EXACTLY_ONCE,
            List.of("a", ""),
            Set.of(QoS.AT_MOST_ONCE),
            Map.of(QoS.AT_LEAST_ONCE, 9L),
            new Texts(
                    new ClientId("c"),
                    TopicName.parse("a/b", 9),
                    TopicFilter.parse("+/#", 9),
                    Instant.parse("2026-11-01T10:00:00.000001Z"),
                    Duration.ofMillis(1_500),
                    new UUID(1, -2)),
            Map.of("object", List.of("text", 5L, true, Map.of("key", "value"))));

    private static final Everything EMPTY =
            new Everything(false, 0, 0, 0, null, Choice.NONE, null, List.of(), Set.of(), Map.of(), null, Map.of());

    private sealed interface Choice {
        record Count(int value) implements Choice {}

        enum Nothing implements Choice {
            NOTHING
        }

        Choice NONE = Nothing.NOTHING;
    }

    private record Texts(
            ClientId clientId, TopicName topic, TopicFilter filter, Instant time, Duration duration, UUID id) {}

    private record Everything(
            boolean truth,
            int small,
            long large,
            double fraction,
            @Nullable String text,
            Choice choice,
            @Nullable QoS qos,
            List<String> list,
            Set<QoS> set,
            Map<QoS, Long> map,
            @Nullable Texts texts,
            Map<String, Object> objects) {}

    private record Entry(String text) {}

    private record Page(List<Entry> entries) {}

    record Positive(int value) {
        Positive {
            if (value < 1) {
                throw new IllegalArgumentException("it is not positive");
            }
        }
    }

    private record OfObject(Object value) {}

    private record Pattern(AddressRange range) {}

    @Test
    void aRecordIsReadAsItWasWritten() {
        assertThat(FORMAT.decode(FORMAT.encode(FULL))).isEqualTo(FULL);
        assertThat(FORMAT.decode(FORMAT.encode(EMPTY))).isEqualTo(EMPTY);
        RecordFormat<Pattern> pattern = RecordFormat.of(Pattern.class);
        assertThat(pattern.decode(pattern.encode(new Pattern(AddressRange.parse("10.0.0.0/8"))))
                        .range())
                .hasToString("10.0.0.0/8");
    }

    @Test
    void aFrameThatIsTooShortOrTooLongIsMalformed() {
        byte[] whole = FORMAT.encode(FULL);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> FORMAT.decode(cut)).isInstanceOf(MalformedFrameException.class);
        }
        assertThatThrownBy(() -> FORMAT.decode(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void aFrameOfAnotherVersionIsMalformed() {
        byte[] bytes = FORMAT.encode(FULL);
        bytes[0] = 2;

        assertThatThrownBy(() -> FORMAT.decode(bytes))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("its version is 2");
    }

    @Test
    void aValueThatTheRecordOrItsTypeRejectsIsMalformed() {
        RecordFormat<Positive> positive = RecordFormat.of(Positive.class);
        assertThatThrownBy(() -> positive.decode(new byte[] {3, 0, 0, 0, 0}))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("it is not positive");
        RecordFormat<Pattern> pattern = RecordFormat.of(Pattern.class);
        assertThatThrownBy(() ->
                        pattern.decode(text(new BinaryWriter().u8(3), "10").toBytes()))
                .isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void objectsThatAreNestedTooDeeplyAreMalformed() {
        RecordFormat<OfObject> format = RecordFormat.of(OfObject.class);
        BinaryWriter nested = new BinaryWriter().u8(3);
        Collections.nCopies(100, "List").forEach(each -> text(nested, each).u32(1));

        assertThatThrownBy(() -> format.decode(nested.toBytes()))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("unknown List");
    }

    private static BinaryWriter text(BinaryWriter out, String text) {
        return out.u32(text.length()).raw(text.getBytes(UTF_8));
    }

    @Test
    void aRecordHasAsManyEntriesAsFit() {
        RecordFormat<Page> format = RecordFormat.of(Page.class);
        List<Entry> entries = Collections.nCopies(100, new Entry("x".repeat(16)));

        byte[] all = format.encode(entries, 2_005, Page::new);
        byte[] some = format.encode(entries, 2_004, Page::new);

        assertThat(all).hasSize(2_005);
        assertThat(format.decode(all).entries()).hasSize(100);
        assertThat(format.decode(some).entries()).hasSize(99);
    }

    @Test
    void aTypeWithoutFormatIsRefused() {
        record Unknown(Thread thread) {}

        assertThatThrownBy(() -> RecordFormat.of(Unknown.class)).hasMessageContaining("no format of class");
    }
}

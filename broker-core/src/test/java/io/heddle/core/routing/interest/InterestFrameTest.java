package io.heddle.core.routing.interest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.subscription.RemoteNode.Interest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class InterestFrameTest {
    private static final InterestFrame.Batch BATCH = new InterestFrame.Batch(
            7,
            true,
            List.of(
                    entry("a/+", Interest.AT_MOST_ONCE, 0),
                    entry("$share/g/b", Interest.ACKNOWLEDGED, 3),
                    entry("c", null, 0)));

    private static InterestFrame.Entry entry(String filter, @Nullable Interest interest, int members) {
        return new InterestFrame.Entry(TopicFilter.parse(filter, 8), interest, members);
    }

    @Test
    void aBatchHasThisForm() {
        byte[] bytes = InterestFrame.encode(BATCH);

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("01" + "01" + "0000000000000007" + "0003" + "01" + "0003612f2b" + "02"
                        + "000a2473686172652f672f62" + "00000003" + "00" + "000163");
        assertThat(InterestFrame.decodeBatch(bytes)).isEqualTo(BATCH);
    }

    @Test
    void anAcknowledgementHasThisForm() {
        byte[] bytes = InterestFrame.encodeAcknowledgement(7);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("01" + "0000000000000007");
        assertThat(InterestFrame.decodeAcknowledgement(bytes)).isEqualTo(7);
    }

    @Test
    void truncatedAndUnknownBytesAreMalformed() {
        byte[] bytes = InterestFrame.encode(BATCH);
        for (int length = 0; length < bytes.length; length++) {
            byte[] truncated = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> InterestFrame.decodeBatch(truncated)).isInstanceOf(MalformedFrameException.class);
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        assertThatThrownBy(() -> InterestFrame.decodeBatch(longer)).isInstanceOf(MalformedFrameException.class);
        byte[] unknown = bytes.clone();
        unknown[12] = 3;
        assertThatThrownBy(() -> InterestFrame.decodeBatch(unknown)).isInstanceOf(MalformedFrameException.class);
    }
}

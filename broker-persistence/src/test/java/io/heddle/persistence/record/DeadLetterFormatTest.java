package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import org.junit.jupiter.api.Test;

class DeadLetterFormatTest {
    private static final ToDeadLetters DEAD = new ToDeadLetters(
            5, 41, new OutboundReceived(new ClientId("pump-1"), 1_700_000_000_000_000L, 12), "WRONGTYPE");

    @Test
    void theFormatOfDeadLettersIsStable() {
        assertThat(Golden.hex(DeadLetterFormat.encode("heddle.buckets", DEAD)))
                .isEqualTo(Golden.hex(Golden.bytes("dead-letter-v1")));
        assertThat(DeadLetterFormat.read(reader(Golden.bytes("dead-letter-v1"))))
                .isEqualTo(DEAD);
    }

    @Test
    void aLongReasonIsTruncated() {
        ToDeadLetters wordy = new ToDeadLetters(DEAD.bucket(), DEAD.offset(), DEAD.command(), "x".repeat(100_000));

        assertThat(DeadLetterFormat.read(reader(DeadLetterFormat.encode("heddle.buckets", wordy)))
                        .reason())
                .hasSize(1_000);
    }

    @Test
    void aLaterVersionIsRejected() {
        byte[] later = Golden.bytes("dead-letter-v1");
        later[0] = 2;

        assertThatThrownBy(() -> DeadLetterFormat.read(reader(later))).isInstanceOf(UnreadableRecordException.class);
    }

    private static RecordReader reader(byte[] bytes) {
        return new RecordReader(bytes, () -> "The record");
    }
}

package io.heddle.persistence.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.testkit.PublishMessages;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ApplyCallTest {
    private static final int KILOBYTE = 1_024;

    @Test
    void smallMessagesForFewShareACall() {
        assertThat(calls(enqueue(100, 1), 900)).isEqualTo(1);
    }

    @Test
    void aCallHoldsAThousandRecipients() {
        assertThat(calls(enqueue(100, 500), 5)).isEqualTo(3);
    }

    @Test
    void aCallHoldsHalfAMegabyteOfMessages() {
        assertThat(calls(enqueue(256 * KILOBYTE, 1), 6)).isEqualTo(3);
    }

    @Test
    void copiesOfLargeMessagesAreSplitIntoConsecutiveCalls() {
        assertThat(calls(enqueue(100 * KILOBYTE, 50), 4)).isEqualTo(4);
        assertThat(calls(enqueue(100 * KILOBYTE, 20), 4)).isEqualTo(1);
    }

    @Test
    void aCommandIsNeverSplit() {
        assertThat(calls(enqueue(1_000 * KILOBYTE, 32), 1)).isEqualTo(1);
    }

    @Test
    void aCommandTooLargeForACallIsRejectedAndStillTakesItsSequences() {
        List<Integer> identifiers = Collections.nCopies(20_000, 268_435_455);
        BucketCommand command = new BucketCommand.Enqueue(
                PublishMessages.message("m"),
                List.of(new QueueRecipient(new ClientId("device"), 1, QoS.AT_LEAST_ONCE, false, identifiers)));

        assertThatThrownBy(() -> split(new BucketBatch.Logged(7, command)))
                .isInstanceOf(StoreRejectedException.class)
                .hasMessageContaining("offset 7");
        assertThat(split(new BucketBatch.Logged(7, command, true))).hasSize(1);
    }

    private static List<ApplyCall> split(BucketBatch.Logged logged) {
        return ApplyCall.split(new BucketBatch(1, BucketBatch.NOTHING, List.of(logged)), (_, _) -> -1, 1);
    }

    private static int calls(BucketCommand command, int times) {
        List<BucketBatch.Logged> logged = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            logged.add(new BucketBatch.Logged(2L * i, command));
        }
        return ApplyCall.split(new BucketBatch(1, BucketBatch.NOTHING, logged), (_, _) -> -1, 1)
                .size();
    }

    private static BucketCommand enqueue(int bytes, int recipients) {
        return new BucketCommand.Enqueue(
                PublishMessages.message(new byte[bytes]),
                IntStream.range(0, recipients)
                        .mapToObj(i ->
                                new QueueRecipient(new ClientId("device-" + i), 1, QoS.AT_LEAST_ONCE, false, List.of()))
                        .toList());
    }
}

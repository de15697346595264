package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.mqtt.QoS;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueEntryFormatTest {
    private static final QueuePage.Entry ENTRY =
            new QueuePage.Entry(7, MessageFormatTest.PLAIN, QoS.AT_LEAST_ONCE, false, List.of(5), false);

    @Test
    void theFormatOfAnEntryIsStable() {
        assertThat(Golden.hex(encode(ENTRY))).isEqualTo(Golden.hex(Golden.bytes("redis-queue-entry-v2")));
        assertThat(read(Golden.bytes("redis-queue-entry-v2"))).isEqualTo(ENTRY);
    }

    @Test
    void theFormatOfASharedSubscriptionsEntryIsStable() {
        QueuePage.Entry shared = new QueuePage.Entry(
                7, MessageFormatTest.PLAIN, QoS.AT_LEAST_ONCE, false, List.of(5), false, "$share/g/plant/#");

        assertThat(Golden.hex(encode(shared))).isEqualTo(Golden.hex(Golden.bytes("redis-queue-entry-shared-v2")));
        assertThat(read(Golden.bytes("redis-queue-entry-shared-v2"))).isEqualTo(shared);
    }

    @Test
    void qosRetainAndIdentifiersAreReadBack() {
        QueuePage.Entry entry = new QueuePage.Entry(
                Long.MAX_VALUE >> 11, MessageFormatTest.FULL, QoS.EXACTLY_ONCE, true, List.of(1, 268_435_455), false);

        assertThat(read(encode(entry))).isEqualTo(entry);
    }

    @Test
    void tooManyIdentifiersAreRejected() {
        QueueRecipient recipient =
                new QueueRecipient(new ClientId("pump-1"), 1, QoS.AT_LEAST_ONCE, false, Collections.nCopies(65_536, 1));

        assertThatThrownBy(() -> QueueEntryFormat.writeDelivery(recipient, new BinaryWriter()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536 Subscription Identifiers");
    }

    @Test
    void aTruncatedRecordOrOneOfAnotherVersionNamesItsKey() {
        byte[] whole = encode(ENTRY);
        Truncated.assertUnreadable(whole, whole.length - 4, cut -> read(cut), "{tag}q:pump-1 is unreadable: ");
        whole[8] = 1;
        assertThatThrownBy(() -> read(whole))
                .hasMessage(
                        "{tag}q:pump-1 is unreadable: a queue entry of version 1, and this build of Heddle reads only"
                                + " version 2");
    }

    private static byte[] encode(QueuePage.Entry entry) {
        BinaryWriter writer = new BinaryWriter().i64(entry.sequence());
        QueueEntryFormat.writeDelivery(
                new QueueRecipient(
                        new ClientId("pump-1"),
                        1,
                        entry.qos(),
                        entry.retain(),
                        entry.subscriptionIdentifiers(),
                        entry.sharedFilter()),
                writer);
        MessageFormat.write(entry.message(), writer);
        return writer.toBytes();
    }

    private static QueuePage.Entry read(byte[] bytes) {
        return QueueEntryFormat.read(bytes, false, () -> "{tag}q:pump-1");
    }
}

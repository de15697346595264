package io.heddle.core.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.heddle.core.client.PastMessages.DroppedMessage;
import io.heddle.core.client.PastMessages.OfClient;
import io.heddle.core.client.PastMessages.Remembered;
import io.heddle.core.client.PastMessages.SentMessage;
import io.heddle.core.mqtt.QoS;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bounds of what is remembered of the latest messages for clients. */
final class PastMessagesTest {
    private static final ClientId C = new ClientId("c");

    private final PastMessages past = new PastMessages(new ClientEvents());

    private void add(String clientId, int millis, String topic) {
        past.of(new ClientId(clientId), millis).add(millis, "expired", topic, QoS.AT_LEAST_ONCE, 3);
    }

    private static void send(OfClient client, long millis, int packetId, boolean isDuplicate) {
        client.sent(millis, "t/" + packetId, QoS.AT_LEAST_ONCE, 3, packetId, isDuplicate);
    }

    private Remembered remembered(ClientId clientId) {
        return requireNonNull(past.remembered(clientId));
    }

    private List<SentMessage> deliveries() {
        return remembered(C).deliveries();
    }

    @Test
    void theLatestMissedMessagesOfAClientAreKept() {
        for (int i = 0; i < PastMessages.DROPS + 5; i++) {
            add("c", i, "t/" + i);
        }
        add("other", 0, "u");

        assertThat(remembered(C).drops())
                .hasSize(PastMessages.DROPS)
                .first()
                .isEqualTo(new DroppedMessage(PastMessages.DROPS + 4, "expired", "t/20", QoS.AT_LEAST_ONCE, 3));
        assertThat(remembered(C).drops()).extracting(DroppedMessage::millis).endsWith(5L);
        assertThat(remembered(C)).returns(0L, Remembered::beginMillis).returns(5L, Remembered::dropsFromMillis);
        assertThat(remembered(new ClientId("other")).drops()).hasSize(1);
        assertThat(past.remembered(new ClientId("unknown"))).isNull();
    }

    @Test
    void theLatestDeliveriesAreKeptAndDoNotDisplaceMissedMessages() {
        add("c", 1, "t");
        OfClient client = past.of(C, 2);
        for (int i = 1; i <= PastMessages.DELIVERIES + 2; i++) {
            send(client, 10 + i, i, false);
        }

        assertThat(remembered(C).drops()).hasSize(1);
        assertThat(deliveries()).hasSize(PastMessages.DELIVERIES).last().returns("t/3", SentMessage::topic);
        assertThat(remembered(C))
                .returns(1L, Remembered::beginMillis)
                .returns(1L, Remembered::dropsFromMillis)
                .returns(13L, Remembered::deliveriesFromMillis);
    }

    @Test
    void anAcknowledgementBelongsToTheLatestMessageWithItsPacketIdentifier() {
        OfClient client = past.of(C, 1);
        send(client, 10, 7, false);
        send(client, 20, 8, false);
        send(client, 30, 7, false);
        client.acknowledged(40, 7);
        client.acknowledged(50, 9);

        assertThat(deliveries())
                .extracting(SentMessage::millis, SentMessage::packetId, SentMessage::acknowledgedMillis)
                .containsExactly(tuple(30L, 7, 40L), tuple(20L, 8, 0L), tuple(10L, 7, 0L));
    }

    @Test
    void aMessageThatIsSentAgainStaysOneMessage() {
        OfClient client = past.of(C, 1);
        send(client, 10, 7, false);
        send(client, 20, 7, true);
        send(client, 25, 8, true);
        client.acknowledged(30, 7);

        assertThat(deliveries())
                .containsExactly(
                        new SentMessage(25, 25, 0, "t/8", QoS.AT_LEAST_ONCE, 3, 8),
                        new SentMessage(10, 20, 30, "t/7", QoS.AT_LEAST_ONCE, 3, 7));
        assertThat(deliveries().getLast().latestMillis()).isEqualTo(20);
    }

    @Test
    void aRefusedMessageIsNoDelivery() {
        OfClient client = past.of(C, 1);
        send(client, 10, 7, false);

        assertThat(client.refused(7)).isEqualTo(new SentMessage(10, 0, 0, "t/7", QoS.AT_LEAST_ONCE, 3, 7));
        assertThat(client.refused(7)).isNull();
        assertThat(deliveries()).isEmpty();
    }

    @Test
    void longTopicsThatBeginTheSameAreDifferent() {
        String beginning = "x".repeat(300);
        OfClient client = past.of(C, 1);
        client.sent(2, beginning + "/a", QoS.AT_LEAST_ONCE, 3, 7, false);
        client.sent(3, beginning + "/b", QoS.AT_LEAST_ONCE, 3, 7, true);
        add("c", 4, beginning + "/a");

        assertThat(deliveries())
                .extracting(each -> each.isOf(beginning + "/a"), each -> each.isOf(beginning + "/b"))
                .containsExactly(tuple(false, true), tuple(true, false));
        assertThat(remembered(C).drops().getFirst())
                .returns(true, each -> each.isOf(beginning + "/a"))
                .returns(false, each -> each.isOf(beginning + "/c"))
                .returns(256, each -> requireNonNull(each.topic()).length());
    }

    @Test
    void theClientThatWasAddedFirstIsForgotten() {
        OfClient first = past.of(new ClientId("first"), 1);
        first.add(1, "expired", "t", QoS.AT_LEAST_ONCE, 3);
        for (int i = 1; i < PastMessages.CLIENTS; i++) {
            add("c" + i, i, "t");
        }
        assertThat(first.isForgotten()).isFalse();
        int changes = past.changes();

        past.rememberIfRoom(new ClientId("no room"), 0);
        assertThat(first.isForgotten()).isFalse();
        assertThat(past.changes()).isEqualTo(changes);

        add("one more", 0, "t");

        assertThat(first.isForgotten()).isTrue();
        assertThat(past.changes()).isGreaterThan(changes);
        assertThat(past.find(new ClientId("first"))).isNull();
        assertThat(past.find(new ClientId("no room"))).isNull();
        assertThat(remembered(new ClientId("c1")).drops()).hasSize(1);
    }

    @Test
    void aLongTopicIsCut() {
        String topic = "t".repeat(65_535);
        add("c", 1, topic);
        past.of(C, 1).sent(1, topic, QoS.AT_MOST_ONCE, 3, 0, false);

        assertThat(remembered(C).drops().getFirst().topic()).isEqualTo("t".repeat(256));
        assertThat(deliveries().getFirst())
                .returns("t".repeat(256), SentMessage::topic)
                .matches(each -> each.isOf(topic));
    }
}

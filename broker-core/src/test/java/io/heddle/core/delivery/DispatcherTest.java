package io.heddle.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.routing.Router;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.TestForwarding;
import io.heddle.core.testkit.UnboundedLag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DispatcherTest {
    private static final int LARGE = 400 << 10;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final SubscriptionTrie trie = new SubscriptionTrie();
    private final Router router = new Router(trie);
    private final Dispatcher dispatcher = new Dispatcher(
            new DirectDelivery(
                    1, Long.MAX_VALUE, new ClientIncidents(System::nanoTime, metrics), new Ledger(metrics), metrics),
            new InMemoryMessageLog(new InMemoryBucketLog(4), UnboundedLag.positions(4)),
            UnboundedLag.positions(4),
            TestForwarding.alone(trie, metrics),
            new MessageNames(new Incarnation(0, 0), 1),
            metrics);

    @Test
    void aMessageIsAppendedOnceForEachBucketOfItsRecipients() {
        subscribe(40);

        List<BucketCommand.Enqueue> commands = commands(100);

        assertThat(commands)
                .hasSize(4)
                .allSatisfy(command -> assertThat(command.recipients()).hasSize(10));
    }

    @Test
    void manyRecipientsAreSplitIntoSeveralCommands() {
        subscribe(4 * (BucketCommand.MAXIMUM_RECIPIENTS + 1));

        assertThat(commands(100))
                .extracting(command -> command.recipients().size())
                .containsExactlyInAnyOrder(1_000, 1_000, 1_000, 1_000, 1, 1, 1, 1);
    }

    @Test
    void commandsOfLargeMessagesHaveFewerRecipients() {
        subscribe(400);

        List<BucketCommand.Enqueue> commands = commands(LARGE);

        assertThat(commands)
                .allSatisfy(command -> assertThat((long) command.recipients().size()
                                * command.message().heldBytes())
                        .isLessThanOrEqualTo(BucketCommand.MAXIMUM_COPIED_BYTES));
        assertThat(commands).hasSize(2 * 4);
        assertThat(commands.stream()
                        .flatMap(command -> command.recipients().stream())
                        .map(QueueRecipient::clientId))
                .hasSize(400)
                .doesNotHaveDuplicates();
    }

    @Test
    void oneCopyMayExceedTheBytesOfACommand() {
        subscribe(8);

        assertThat(commands((int) BucketCommand.MAXIMUM_COPIED_BYTES + 1))
                .hasSize(8)
                .allSatisfy(command -> assertThat(command.recipients()).hasSize(1));
    }

    private List<BucketCommand.Enqueue> commands(int payloadBytes) {
        PublishMessage message = PublishMessages.message(new byte[payloadBytes]);
        return dispatcher.appends(message, router.route(message)).stream()
                .map(append -> (BucketCommand.Enqueue) ((LogAppend.ToBucket) append).command())
                .toList();
    }

    private void subscribe(int sessions) {
        TopicFilter filter = TopicFilter.parse("plant/#", 8);
        for (int i = 0; i < sessions; i++) {
            PersistentSubscriber session =
                    new PersistentSubscriber(new ClientId("device-" + i), ClientType.DEVICE, i % 4, 1);
            trie.put(session, new Subscription(filter, QoS.AT_LEAST_ONCE, false, false, 0));
        }
    }
}

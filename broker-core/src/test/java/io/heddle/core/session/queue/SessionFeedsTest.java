package io.heddle.core.session.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.RollbackDetector;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.TestStores;
import io.heddle.core.session.outbound.Outbox;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.UnboundedLag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The first message of a feed after an earlier connection. */
final class SessionFeedsTest {
    private static final int SPAN = Outbox.MAXIMUM_SPAN;
    private static final OutboundQueue.Listener NOBODY = new OutboundQueue.Listener() {
        @Override
        public void onMessageAvailable() {
            throw new AssertionError("nothing was begun");
        }

        @Override
        public void onQueueLost(ReasonCode code, String reason) {
            throw new AssertionError(reason);
        }
    };

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final TestStores stores = new TestStores();
    private final BucketPositions positions = UnboundedLag.positions(TestStores.BUCKETS);
    private final SessionFeeds feeds = new SessionFeeds(
            stores.queues,
            new QueueBounds(1_000, 1_000_000, true, 100),
            new InMemoryMessageLog(stores.bucketLog, positions),
            stores.registry,
            positions,
            new RollbackDetector(stores.queues, positions, stores.bucketLog),
            new ApplicationSessions(
                    stores.applicationLogs, stores.progressLog, RoutingLease.unlimited(), new SimpleMeterRegistry()),
            List.of(loop),
            1_000_000,
            RoutingLease.unlimited(),
            Duration.ZERO,
            new SimpleMeterRegistry());
    private final PersistentSession session = new PersistentSession(
            new PersistentSubscriber(new ClientId("c"), ClientType.DEVICE, 1, 5),
            loop,
            new SessionRecord(5, ClientType.DEVICE, null, 60, "node-1", 6, 0));

    private OpenedFeed open(long head, long tail, long sentUpTo, Long... outboundReceived) {
        return feeds.open(
                session,
                new Registration(
                        5,
                        7,
                        "",
                        0,
                        head,
                        tail,
                        sentUpTo,
                        new TreeMap<>(),
                        List.of(outboundReceived),
                        new BucketPosition(1, 0)),
                loop,
                NOBODY);
    }

    @Test
    void aFeedBeginsAtTheHeadOfTheQueue() {
        OpenedFeed reader = open(3, 10, 5, 4L, 3L);

        assertThat(reader.epoch()).isEqualTo(7);
        assertThat(reader.queue().first()).isEqualTo(3);
        assertThat(reader.queue().duplicatesUpTo()).isEqualTo(5);
    }

    @Test
    void messagesOutsideTheSpanOfAReceivedMessageCountAsAcknowledged() {
        assertThat(open(1, 50_000, 40_000, 40_000L, 39_000L).queue().first()).isEqualTo(40_000 - SPAN);
        assertThat(open(40_000 - SPAN, 50_000, 40_000, 40_000L).queue().first()).isEqualTo(40_000 - SPAN);
    }

    @Test
    void anOwnerThatDiedMayHaveSentAsManyMessagesAsIdentifiers() {
        assertThat(open(3, 10, SessionRegistry.UNKNOWN).queue().duplicatesUpTo())
                .isEqualTo(10);
        assertThat(open(3, 100_000, SessionRegistry.UNKNOWN).queue().duplicatesUpTo())
                .isEqualTo(3 + SPAN);
    }
}

package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied.Done;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.NumberRun;
import io.heddle.core.delivery.log.OutboundFeed;
import io.heddle.core.delivery.log.OutboundFeed.Fed;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.SessionRegistry;
import io.heddle.core.session.SessionRegistry.Registration;
import io.heddle.core.testkit.FaultyDeviceQueues;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.ManualEventLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class DeviceFeedTest {
    private static final ClientId PUMP = new ClientId("pump-1");
    private static final QueueBounds BOUNDS = new QueueBounds(1_000, 100_000_000, false, 100);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration GATHERING = Duration.ofMillis(20);

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final InMemoryDeviceQueues store = new InMemoryDeviceQueues(() -> 1_000);
    private final FaultyDeviceQueues queues = new FaultyDeviceQueues(store);
    private final InMemoryBucketLog bucketLog = new InMemoryBucketLog(1);
    private final InMemoryMessageLog messageLog = new InMemoryMessageLog(bucketLog, new BucketPositions(1));
    private final QueueAcknowledgements acknowledgements =
            new QueueAcknowledgements(queues, loop, new SimpleMeterRegistry());
    private final Heard heard = new Heard();
    private Registration registration = connect(SessionRegistry.NEW);
    private long offset = BucketBatch.NOTHING;

    @Test
    void whatIsPushedInSyncIsTakenFromMemory() {
        DeviceFeed feed = begun();
        assertThat(queues.pages()).containsExactly(1L);

        push(feed, "one");
        push(feed, "two");

        assertThat(heard.ready).isOne();
        assertThat(drain(feed)).containsExactly("1 one", "2 two");
        assertThat(queues.pages()).as("nothing was read but at the beginning").containsExactly(1L);
    }

    @Test
    void aPushedMessageComesAsItsRecipientGetsIt() {
        DeviceFeed feed = begun();
        BucketCommand.Enqueue command = command("one");
        QueueRecipient recipient =
                new QueueRecipient(PUMP, registration.generation(), QoS.EXACTLY_ONCE, true, List.of(3, 5));

        feed.pushed(1, command, recipient);

        assertThat(feed.peek())
                .isEqualTo(new Fed(1, command.message(), QoS.EXACTLY_ONCE, true, List.of(3, 5), false, false));
    }

    @Test
    void aGapIsFilledFromTheQueue() {
        DeviceFeed feed = begun();
        enqueue("one");
        enqueue("two");
        push(feed, "three");
        loop.runTasks();

        assertThat(drain(feed)).containsExactly("1 one", "2 two", "3 three");
        assertThat(queues.pages()).containsExactly(1L, 1L);
        push(feed, "four");
        assertThat(drain(feed)).containsExactly("4 four");
        assertThat(queues.pages()).as("in sync again").hasSize(2);
    }

    @Test
    void whatIsPushedWhileThePageIsUnderWayIsNeitherMissedNorDoubled() {
        DeviceFeed feed = begun();
        enqueue("one");
        queues.hold();
        push(feed, "two");
        push(feed, "three");
        queues.release();
        loop.runTasks();

        assertThat(drain(feed)).containsExactly("1 one", "2 two", "3 three");
        assertThat(queues.pages()).containsExactly(1L, 1L, 3L);
    }

    @Test
    void aFullFeedLeavesMessagesInTheQueueUntilItIsEmpty() {
        DeviceFeed feed = begun();
        for (int i = 1; i <= 200; i++) {
            push(feed, "m" + i);
        }
        loop.runTasks();
        assertThat(queues.pages()).as("what does not fit is not read").containsExactly(1L);

        List<String> all = new ArrayList<>();
        for (int i = 0; i < 63; i++) {
            all.add(takeOne(feed));
        }
        loop.runTasks();
        assertThat(queues.pages()).hasSize(1);
        all.addAll(drain(feed));

        assertThat(all).hasSize(200).startsWith("1 m1").endsWith("200 m200").doesNotHaveDuplicates();
        assertThat(queues.pages()).containsExactly(1L, 65L, 129L, 193L);
    }

    @Test
    void largeMessagesFillTheFeedByTheirBytes() {
        DeviceFeed feed = begun();
        for (int i = 1; i <= 20; i++) {
            push(feed, "x".repeat(200_000));
        }
        loop.runTasks();
        assertThat(queues.pages()).containsExactly(1L);

        int before = 0;
        while (queues.pages().size() == 1) {
            takeOne(feed);
            before++;
        }
        assertThat(before).as("a mebibyte and one message more").isEqualTo(6);
        loop.runTasks();
        assertThat(drain(feed)).hasSize(14);
    }

    @Test
    void thePageIsAskedForAgainAfterAFailure() {
        queues.refuse(bucket -> true);
        DeviceFeed feed = begun();
        enqueue("one");
        loop.advance(PAUSE.minusMillis(1));
        assertThat(queues.pages()).hasSize(1);

        queues.heal();
        loop.advance(Duration.ofMillis(1));

        assertThat(queues.pages()).hasSize(2);
        assertThat(drain(feed)).containsExactly("1 one");
    }

    @Test
    void pushesDoNotHurryAQueueThatDoesNotAnswer() {
        queues.refuse(bucket -> true);
        DeviceFeed feed = begun();
        for (int i = 0; i < 10; i++) {
            push(feed, "m" + i);
            loop.runTasks();
        }
        assertThat(queues.pages()).hasSize(1);

        queues.heal();
        loop.advance(PAUSE);
        assertThat(drain(feed)).hasSize(10);
    }

    @Test
    void whoTheQueueHasForgottenReadsOnWhenItKnowsItAgain() {
        DeviceFeed feed = begun();
        store.loseEverything();

        feed.filledUpTo(1);
        loop.runTasks();
        assertThat(heard.lost).isEmpty();
        store.restore(
                0,
                List.of(new SessionRegistry.Known(
                        PUMP, registration.generation(), registration.epoch(), "node", SessionRegistry.NEVER)));
        enqueue("one");
        loop.advance(PAUSE);

        assertThat(drain(feed)).containsExactly("1 one");
    }

    @Test
    void whoIsNotTheOwnerAnyMoreLosesItsConnection() {
        DeviceFeed feed = begun();
        enqueue("one");
        connect(registration.generation());

        feed.filledUpTo(1);
        loop.runTasks();
        assertThat(heard.lost).containsExactly("another connection has taken the session over");

        feed.filledUpTo(2);
        loop.runTasks();
        assertThat(heard.lost).as("said once").hasSize(1);
        assertThat(feed.peek()).isNull();
    }

    @Test
    void nothingIsReadBeforeItBeginsAndWhatCameBeforeThatIsReadThen() {
        enqueue("while away");
        registration = connect(registration.generation());
        DeviceFeed feed = feed(0);
        enqueue("before anybody listened");
        push(feed, "pushed too early");
        loop.runTasks();
        assertThat(queues.pages()).isEmpty();
        assertThat(feed.peek()).isNull();

        feed.begin();
        loop.runTasks();

        assertThat(heard.ready).isOne();
        assertThat(drain(feed)).containsExactly("1 while away", "2 before anybody listened", "3 pushed too early");
    }

    @Test
    void whatCameBeforeAnybodyListenedAndWasNotPushedIsRead() {
        DeviceFeed feed = feed(0);
        enqueue("not pushed");

        feed.begin();
        loop.runTasks();

        assertThat(drain(feed)).containsExactly("1 not pushed");
    }

    @Test
    void messagesThatMayHaveBeenSentBeforeAreDuplicates() {
        enqueue("one");
        enqueue("two");
        enqueue("three");
        registration = connect(registration.generation());
        DeviceFeed feed = feed(2);
        feed.begin();
        loop.runTasks();
        push(feed, "four");

        assertThat(take(feed).duplicate()).isTrue();
        assertThat(take(feed).duplicate()).isTrue();
        assertThat(take(feed).duplicate()).isFalse();
        assertThat(take(feed).duplicate()).isFalse();
    }

    @Test
    void aMessageThatPubrecHasComeForSaysSo() {
        enqueue("one");
        enqueue("two");
        apply(new BucketCommand.OutboundReceived(PUMP, registration.generation(), 1));
        registration = connect(registration.generation());
        DeviceFeed feed = feed(2);
        feed.begin();
        loop.runTasks();

        assertThat(take(feed).received()).isTrue();
        assertThat(take(feed).received()).isFalse();
    }

    @Test
    void numbersThatGaveNoMessageArePassedOver() {
        enqueue("one");
        apply(enqueueOf(message("late", 1)));
        apply(enqueueOf(message("later", 1)));
        registration = connect(registration.generation());
        DeviceFeed feed = feed(0);
        feed.begin();
        loop.runTasks();
        assertThat(drain(feed)).containsExactly("1 one");

        int pages = queues.pages().size();
        push(feed, "four");
        assertThat(drain(feed)).containsExactly("4 four");
        assertThat(queues.pages()).as("it knew what came next").hasSize(pages);
    }

    @Test
    void aHintWithoutItsMessageIsRead() {
        DeviceFeed feed = begun();
        enqueue("one");
        enqueue("two");

        feed.filledUpTo(2);
        loop.runTasks();

        assertThat(drain(feed)).containsExactly("1 one", "2 two");
        feed.filledUpTo(2);
        loop.runTasks();
        assertThat(queues.pages()).as("known already").hasSize(2);
    }

    @Test
    void aQueueThatForgotWhatItHadIsAskedNowAndThenUntilItHasItAgain() {
        DeviceFeed feed = begun();
        List<BucketCommand.Enqueue> commands = new ArrayList<>();
        for (int i = 1; i <= 70; i++) {
            commands.add(push(feed, "m" + i));
        }
        store.loseEverything();
        store.restore(
                0,
                List.of(new SessionRegistry.Known(
                        PUMP, registration.generation(), registration.epoch(), "node", SessionRegistry.NEVER)));
        assertThat(drain(feed)).hasSize(64);
        assertThat(queues.pages()).as("it is not asked without end").hasSize(2);
        loop.advance(PAUSE);
        assertThat(queues.pages()).hasSize(3);

        offset = BucketBatch.NOTHING;
        commands.forEach(this::apply);
        loop.advance(PAUSE);

        assertThat(drain(feed)).hasSize(6).startsWith("65 m65").endsWith("70 m70");
    }

    @Test
    void whatIsAcknowledgedIsToldInTime() {
        DeviceFeed feed = begun();
        push(feed, "one");
        push(feed, "two");
        drain(feed);

        feed.acknowledgedBelow(2);
        feed.acknowledgedBelow(3);
        feed.acknowledgedBelow(2);
        assertThat(queues.acknowledgements()).isEmpty();
        loop.advance(GATHERING);

        assertThat(queues.acknowledgements()).containsExactly(List.of(acknowledgement(2)));
        assertThat(stored()).isEmpty();
    }

    @Test
    void whatIsAcknowledgedOutOfOrderIsToldOnce() {
        DeviceFeed feed = begun();
        for (String payload : List.of("one", "two", "three", "four", "five")) {
            push(feed, payload);
        }
        drain(feed);

        feed.acknowledged(4);
        feed.acknowledged(2);
        feed.acknowledgedBelow(1);
        loop.advance(GATHERING);
        assertThat(stored()).containsExactly("one", "three", "five");
        feed.acknowledged(5);
        loop.advance(GATHERING);
        assertThat(queues.acknowledgements())
                .containsExactly(
                        List.of(acknowledgement(0, new NumberRun(2, 3), new NumberRun(4, 5))),
                        List.of(acknowledgement(0, new NumberRun(5, 6))));
        feed.acknowledged(1);
        feed.acknowledgedBelow(3);
        loop.advance(GATHERING);

        assertThat(queues.acknowledgements()).hasSize(3).endsWith(List.of(acknowledgement(2)));
        assertThat(stored()).containsExactly("three");
    }

    @Test
    void aQueueThatDidNotTakeItIsToldAllThatIsAcknowledgedOutOfOrder() {
        DeviceFeed feed = begun();
        for (String payload : List.of("one", "two", "three", "four")) {
            push(feed, payload);
        }
        drain(feed);
        feed.acknowledged(2);
        loop.advance(GATHERING);
        queues.refuse(_ -> true);
        feed.acknowledged(4);
        loop.advance(GATHERING);

        queues.heal();
        loop.advance(PAUSE.plus(GATHERING));

        assertThat(queues.acknowledgements().getLast())
                .containsExactly(acknowledgement(0, new NumberRun(2, 3), new NumberRun(4, 5)));
        assertThat(stored()).containsExactly("one", "three");
    }

    @Test
    void tooManyGapsInWhatIsAcknowledgedHoldUpTheNextMessageUntilOneCloses() {
        DeviceFeed feed = begun();
        for (int i = 1; i <= 2_048; i++) {
            push(feed, "m");
            take(feed);
            if (i % 2 == 0) {
                feed.acknowledged(i);
                loop.advance(GATHERING);
            }
        }
        push(feed, "next");
        assertThat(feed.peek()).isNull();

        feed.acknowledged(3);

        assertThat(takeOne(feed)).isEqualTo("2049 next");
    }

    @Test
    void whatTheQueueHasAgainFromTheLogIsAcknowledgedAgain() {
        DeviceFeed feed = begun();
        BucketCommand.Enqueue command = push(feed, "one");
        push(feed, "two");
        drain(feed);
        feed.acknowledgedBelow(2);
        loop.advance(GATHERING);

        feed.pushed(1, command, command.recipients().getFirst());
        loop.advance(GATHERING);

        assertThat(feed.peek()).as("it is not sent again").isNull();
        assertThat(queues.acknowledgements()).containsExactly(List.of(acknowledgement(1)), List.of(acknowledgement(1)));
    }

    @Test
    void aQueueThatWentBackIsToldAgainWhatWasAcknowledged() {
        DeviceFeed feed = begun();
        push(feed, "one");
        drain(feed);
        feed.acknowledgedBelow(2);
        loop.advance(GATHERING);

        feed.repeatAcknowledgement();
        loop.advance(GATHERING);

        assertThat(queues.acknowledgements()).hasSize(2).containsOnly(List.of(acknowledgement(1)));
    }

    @Test
    void theEndTellsWhatWasAcknowledgedAndFeedsNothingMore() {
        DeviceFeed feed = begun();
        push(feed, "one");
        push(feed, "two");
        take(feed);
        feed.acknowledgedBelow(2);

        feed.end();

        assertThat(queues.acknowledgements()).containsExactly(List.of(acknowledgement(1)));
        assertThat(feed.peek()).isNull();
        push(feed, "three");
        feed.filledUpTo(3);
        feed.acknowledgedBelow(3);
        feed.repeatAcknowledgement();
        loop.advance(PAUSE);
        assertThat(feed.peek()).isNull();
        assertThat(queues.acknowledgements()).hasSize(1);
        assertThat(stored()).as("what was not acknowledged stays").containsExactly("two", "three");
    }

    @Test
    void aPageThatComesAfterTheEndIsNotFed() {
        enqueue("one");
        queues.hold();
        DeviceFeed feed = feed(0);
        feed.begin();

        feed.end();
        queues.release();
        loop.runTasks();

        assertThat(feed.peek()).isNull();
        assertThat(heard.ready).isZero();
    }

    @Test
    void pubrecIsRememberedOnceItIsInTheLog() {
        DeviceFeed feed = begun();
        messageLog.hold(10);
        List<String> remembered = new ArrayList<>();

        feed.received(7, () -> remembered.add("7"));
        loop.runTasks();
        assertThat(remembered).isEmpty();
        messageLog.release();
        assertThat(remembered).as("on the event loop").isEmpty();
        loop.runTasks();

        assertThat(remembered).containsExactly("7");
        assertThat(bucketLog.commands(0))
                .containsExactly(new BucketCommand.OutboundReceived(PUMP, registration.generation(), 7));
    }

    @Test
    void pubrecThatCannotBeRememberedCostsTheConnection() {
        DeviceFeed feed = begun();
        messageLog.failWith(new IllegalStateException("refused for good"));

        feed.received(7, () -> {
            throw new AssertionError("it is not remembered");
        });
        loop.runTasks();

        assertThat(heard.lost).containsExactly("its PUBREC could not be remembered");
    }

    @Test
    void afterTheEndNobodyHearsOfPubrec() {
        DeviceFeed feed = begun();
        messageLog.hold(10);
        feed.received(7, () -> {
            throw new AssertionError("the client is gone");
        });
        feed.received(8, () -> {
            throw new AssertionError("the client is gone");
        });

        feed.end();
        messageLog.failWith(new IllegalStateException("refused for good"));
        messageLog.release();
        loop.runTasks();

        assertThat(heard.lost).isEmpty();
    }

    @Test
    void onlyItsEventLoopMayUseIt() {
        DeviceFeed feed = begun();
        loop.leave();

        assertThatThrownBy(feed::peek).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> feed.filledUpTo(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> feed.acknowledgedBelow(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(feed::end).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aQueueIsToldAtOnceBeforeItFillsUpWithWhatIsAcknowledged() {
        DeviceFeed feed = begun();
        for (int i = 1; i <= 200; i++) {
            push(feed, "m" + i);
            takeOne(feed);
        }
        for (int i = 1; i < 125; i++) {
            feed.acknowledged(i);
        }
        assertThat(queues.acknowledgements()).as("there is time").isEmpty();

        feed.acknowledged(125);
        assertThat(queues.acknowledgements()).containsExactly(List.of(acknowledgement(125)));
        for (int i = 126; i <= 200; i++) {
            feed.acknowledged(i);
        }
        assertThat(queues.acknowledgements()).hasSize(1);
    }

    @Test
    void aQueueIsToldAtOnceBeforeItFillsUpWithTheBytesOfWhatIsAcknowledged() {
        DeviceFeed feed = begun();
        push(feed, "x".repeat(13_000_000));
        push(feed, "small");
        takeOne(feed);
        loop.runTasks();
        takeOne(feed);

        feed.acknowledgedBelow(2);
        assertThat(queues.acknowledgements()).hasSize(1);
        feed.acknowledgedBelow(3);
        assertThat(queues.acknowledgements()).hasSize(1);
    }

    private DeviceFeed begun() {
        DeviceFeed feed = feed(0);
        feed.begin();
        loop.runTasks();
        return feed;
    }

    private DeviceFeed feed(long duplicatesUpTo) {
        return new DeviceFeed(
                queues,
                BOUNDS,
                messageLog,
                acknowledgements,
                new QueueOwner(0, PUMP, registration.generation(), registration.epoch()),
                loop,
                heard,
                registration.head(),
                registration.tail(),
                duplicatesUpTo);
    }

    private Registration connect(long generation) {
        return answer(store.connect(0, PUMP, generation, 0, "node"));
    }

    /** The queue gets a message, and the feed hears of it. */
    private BucketCommand.Enqueue push(DeviceFeed feed, String payload) {
        BucketCommand.Enqueue command = command(payload);
        long sequence = apply(command);
        feed.pushed(sequence, command, command.recipients().getFirst());
        return command;
    }

    private void enqueue(String payload) {
        apply(command(payload));
    }

    private BucketCommand.Enqueue command(String payload) {
        return enqueueOf(message(payload, PublishMessage.NEVER_EXPIRES));
    }

    private BucketCommand.Enqueue enqueueOf(PublishMessage message) {
        return new BucketCommand.Enqueue(
                message,
                List.of(new QueueRecipient(PUMP, registration.generation(), QoS.AT_LEAST_ONCE, false, List.of())));
    }

    /** The number that the message got, or 0 when it is none. */
    private long apply(BucketCommand command) {
        long preceding = offset++;
        Done done = (Done) answer(store.apply(
                new BucketBatch(0, preceding, List.of(new BucketBatch.Logged(offset, command))), BOUNDS, 1_000));
        return done.placements().isEmpty() ? 0 : done.placements().getFirst().sequence();
    }

    private static PublishMessage message(String payload, long expiresAtMillis) {
        return new PublishMessage(
                new ClientId("sensor"),
                TopicName.parse("plant/1", 8),
                QoS.AT_LEAST_ONCE,
                false,
                PublishProperties.NONE,
                BinaryData.wrap(payload.getBytes(StandardCharsets.UTF_8)),
                expiresAtMillis);
    }

    private Acknowledgement acknowledgement(long upTo, NumberRun... above) {
        return new Acknowledgement(PUMP, registration.generation(), upTo, List.of(above));
    }

    private List<String> stored() {
        return store.payloads(0, PUMP);
    }

    private List<String> drain(DeviceFeed feed) {
        List<String> all = new ArrayList<>();
        while (feed.peek() != null) {
            all.add(takeOne(feed));
            loop.runTasks();
        }
        return all;
    }

    private static String takeOne(DeviceFeed feed) {
        Fed fed = take(feed);
        return fed.sequence() + " " + text(fed.message());
    }

    private static Fed take(DeviceFeed feed) {
        Fed fed = feed.peek();
        if (fed == null) {
            throw new AssertionError("there is no message");
        }
        feed.take();
        return fed;
    }

    private static String text(PublishMessage message) {
        return new String(message.payload().array(), StandardCharsets.UTF_8);
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static final class Heard implements OutboundFeed.Listener {
        private int ready;
        private final List<String> lost = new ArrayList<>();

        @Override
        public void feedReady() {
            ready++;
        }

        @Override
        public void feedLost(String reason) {
            lost.add(reason);
        }
    }
}

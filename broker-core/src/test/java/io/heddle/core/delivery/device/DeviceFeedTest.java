package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.OutboundQueue.StoredMessage;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.testkit.PublishMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading of a feed from its queue. */
final class DeviceFeedTest extends DeviceFeedFixture {
    @Test
    void pushesInSyncAreTakenFromMemory() {
        DeviceFeed feed = started();
        assertThat(queues.pages()).containsExactly(1L);

        push(feed, "one");
        push(feed, "two");

        assertThat(heard.ready()).isOne();
        assertThat(drain(feed)).containsExactly("1 one", "2 two");
        assertThat(queues.pages()).as("read only at the start").containsExactly(1L);
    }

    @Test
    void aPushedMessageHasTheTermsOfItsRecipient() {
        DeviceFeed feed = started();
        BucketCommand.Enqueue command = command("one");
        QueueRecipient recipient =
                new QueueRecipient(PUMP, registration.generation(), QoS.EXACTLY_ONCE, true, List.of(3, 5));

        feed.pushed(1, command, recipient);

        assertThat(feed.peek())
                .isEqualTo(
                        new StoredMessage(1, command.message(), QoS.EXACTLY_ONCE, true, List.of(3, 5), false, false));
    }

    @Test
    void aGapIsFilledFromTheQueue() {
        DeviceFeed feed = started();
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
    void pushesDuringAPageRequestAreNeitherMissedNorDuplicated() {
        DeviceFeed feed = started();
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
    void aFailedPageRequestIsRetried() {
        queues.refuse(bucket -> true);
        DeviceFeed feed = started();
        enqueue("one");
        loop.advance(PAUSE.minusMillis(1));
        assertThat(queues.pages()).hasSize(1);

        queues.heal();
        loop.advance(Duration.ofMillis(1));

        assertThat(queues.pages()).hasSize(2);
        assertThat(drain(feed)).containsExactly("1 one");
    }

    @Test
    void pushesDoNotShortenThePauseAfterAFailure() {
        queues.refuse(bucket -> true);
        DeviceFeed feed = started();
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
    void aFeedResumesWhenItsSessionIsRegisteredAgain() {
        DeviceFeed feed = started();
        store.loseEverything();

        feed.filledUpTo(1);
        loop.runTasks();
        assertThat(heard.lost()).isEmpty();
        store.restore(
                0, List.of(new SessionRegistry.Known(PUMP, registration.generation(), registration.epoch(), "node")));
        enqueue("one");
        loop.advance(PAUSE);

        assertThat(drain(feed)).containsExactly("1 one");
    }

    @Test
    void aFencedFeedEndsItsConnection() {
        DeviceFeed feed = started();
        enqueue("one");
        connect(registration.generation());

        feed.filledUpTo(1);
        loop.runTasks();
        assertThat(heard.lost()).containsExactly("SESSION_TAKEN_OVER: another connection has taken the session over");

        feed.filledUpTo(2);
        loop.runTasks();
        assertThat(heard.lost()).as("reported once").hasSize(1);
        assertThat(feed.peek()).isNull();
    }

    @Test
    void earlierMessagesAreReadWhenTheFeedBegins() {
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

        assertThat(heard.ready()).isOne();
        assertThat(drain(feed)).containsExactly("1 while away", "2 before anybody listened", "3 pushed too early");
    }

    @Test
    void messagesQueuedBeforeTheFeedExistedAreRead() {
        DeviceFeed feed = feed(0);
        enqueue("not pushed");

        feed.begin();
        loop.runTasks();

        assertThat(drain(feed)).containsExactly("1 not pushed");
    }

    @Test
    void messagesThatMayHaveBeenSentAreDuplicates() {
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
    void aMessageIsReadAsReceivedAfterItsPubrec() {
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
    void sequenceNumbersWithoutMessagesAreSkipped() {
        enqueue("one");
        apply(enqueueOf(PublishMessages.expiring("late", 1)));
        apply(enqueueOf(PublishMessages.expiring("later", 1)));
        registration = connect(registration.generation());
        DeviceFeed feed = feed(0);
        feed.begin();
        loop.runTasks();
        assertThat(drain(feed)).containsExactly("1 one");

        int pages = queues.pages().size();
        push(feed, "four");
        assertThat(drain(feed)).containsExactly("4 four");
        assertThat(queues.pages()).as("the next sequence number was known").hasSize(pages);
    }

    @Test
    void aHintWithoutItsMessageTriggersARead() {
        DeviceFeed feed = started();
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
    void aQueueThatRolledBackIsPolledUntilItIsReplayed() {
        DeviceFeed feed = started();
        List<BucketCommand.Enqueue> commands = new ArrayList<>();
        for (int i = 1; i <= 70; i++) {
            commands.add(push(feed, "m" + i));
        }
        store.loseEverything();
        store.restore(
                0, List.of(new SessionRegistry.Known(PUMP, registration.generation(), registration.epoch(), "node")));
        assertThat(drain(feed)).hasSize(64);
        assertThat(queues.pages()).as("not polled in a loop").hasSize(2);
        loop.advance(PAUSE);
        assertThat(queues.pages()).hasSize(3);

        offset = BucketBatch.NOTHING;
        commands.forEach(this::apply);
        loop.advance(PAUSE);

        assertThat(drain(feed)).hasSize(6).startsWith("65 m65").endsWith("70 m70");
    }

    @Test
    void aPageThatArrivesAfterTheEndIsNotFed() {
        enqueue("one");
        queues.hold();
        DeviceFeed feed = feed(0);
        feed.begin();

        feed.end();
        queues.release();
        loop.runTasks();

        assertThat(feed.peek()).isNull();
        assertThat(heard.ready()).isZero();
    }

    @Test
    void onlyTheOwningEventLoopMayUseTheFeed() {
        DeviceFeed feed = started();
        loop.leave();

        assertThatThrownBy(feed::peek).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> feed.filledUpTo(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> feed.acknowledgedBelow(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(feed::end).isInstanceOf(IllegalStateException.class);
    }
}

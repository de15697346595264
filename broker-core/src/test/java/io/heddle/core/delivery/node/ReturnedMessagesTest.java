package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.PublishMessages;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ReturnedMessagesTest {
    private static final Duration LATER = Duration.ofMillis(200);
    private static final TopicFilter FULL = TopicFilter.parse("$share/full/t", 8);
    private static final TopicFilter EMPTY = TopicFilter.parse("$share/empty/t", 8);
    private static final TopicFilter OTHER = TopicFilter.parse("$share/other/t", 8);

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final ReturnedMessages returned = new ReturnedMessages(loop, metrics);
    private final List<String> taken = new ArrayList<>();
    private final List<Runnable> failures = new ArrayList<>();
    private final Set<TopicFilter> withoutRoom = new HashSet<>();
    private int attempts;
    private int done;
    private boolean isBroken;

    ReturnedMessagesTest() {
        returned.dispatchWith((message, filter, onDone, onFailed) -> {
            attempts++;
            if (isBroken) {
                throw new IllegalStateException("test");
            }
            if (filter.equals(EMPTY)) {
                return SharedRedispatch.Outcome.NO_MEMBER;
            }
            if (withoutRoom.contains(filter)) {
                return SharedRedispatch.Outcome.NO_ROOM;
            }
            taken.add(PublishMessages.text(message));
            failures.add(onFailed);
            onDone.run();
            return SharedRedispatch.Outcome.TAKEN;
        });
    }

    private void add(TopicFilter filter, String... payloads) {
        returned.add(
                Stream.of(payloads)
                        .map(each -> new ReturnedMessages.Returned(PublishMessages.message(each), filter, () -> done++))
                        .toList(),
                Duration.ZERO);
        loop.advance(Duration.ofMillis(1));
        loop.advance(Duration.ofMillis(1));
    }

    @Test
    void aMessageWithoutMemberIsCounted() {
        add(EMPTY, "a");

        assertThat(done).isOne();
        assertThat(metrics.get("heddle.messages.dropped")
                        .tag("reason", "no_group_member")
                        .counter()
                        .count())
                .isOne();
    }

    @Test
    void messagesWaitInTheirOrderWhileTheirGroupHasNoRoom() {
        withoutRoom.add(FULL);
        add(FULL, "1", "2", "3");
        add(OTHER, "a");
        add(FULL, "4");
        assertThat(taken).containsExactly("a");
        assertThat(attempts).as("one for the full group").isEqualTo(2);

        withoutRoom.clear();
        loop.advance(LATER);
        assertThat(taken).containsExactly("a", "1", "2", "3", "4");
        assertThat(done).isEqualTo(5);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void aFaultStopsNoMessage() {
        isBroken = true;
        add(OTHER, "a", "b");
        loop.advance(LATER);
        assertThat(taken).isEmpty();

        isBroken = false;
        loop.advance(LATER);
        assertThat(taken).containsExactly("a", "b");
    }

    @Test
    void aMessageThatCouldNotBeStoredIsDispatchedAgain() {
        add(OTHER, "a");
        failures.getFirst().run();
        loop.runTasks();
        loop.advance(LATER);

        assertThat(taken).containsExactly("a", "a");
    }
}

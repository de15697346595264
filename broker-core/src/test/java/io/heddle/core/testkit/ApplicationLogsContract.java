package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.ApplicationMessage;
import io.heddle.core.delivery.application.LogExtent;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link ApplicationLogs} promises. Clients of one test are unknown to every other. */
public abstract class ApplicationLogsContract extends ApplicationLogsFixture {
    /** In the year 2096: the clock of a simulation may be years ahead. */
    private static final long FAR_FUTURE_MILLIS = 4_000_000_000_000L;

    /** For waits that a test repeats a hundred times. */
    private static final Duration SHORT_POLL = Duration.ofMillis(2);

    /** Appends these in a transaction, and returns when it is committed. */
    protected abstract void commit(List<ToApplication> appends) throws Exception;

    @Test
    void messagesAreReadInOrderWithRisingNumbers() throws Exception {
        ClientId app = client("app");
        long first = created(app, 5);
        append(List.of(append(app, 5, "a"), append(app, 5, "b")));
        Reader reader = new Reader();
        ApplicationLogs.Reading reading = logs().read(app, 5, first, reader);
        reader.await("a", "b");
        append(List.of(append(app, 5, "c")));

        reader.await("a", "b", "c");
        assertThat(reader.messages())
                .extracting(ApplicationMessage::sequence)
                .isSorted()
                .doesNotHaveDuplicates()
                .allMatch(sequence -> sequence >= first);
        reading.close();
    }

    @Test
    void aMessageIsReadWithTheOptionsOfItsRecipient() throws Exception {
        ClientId app = client("app");
        long first = created(app, 5);
        PublishMessage message = new PublishMessage(
                new ClientId("sensor-ü"),
                TopicName.parse("plant/ü", 8),
                QoS.EXACTLY_ONCE,
                true,
                new PublishProperties(
                        60,
                        true,
                        "text/plain",
                        TopicName.parse("answers", 8),
                        BinaryData.wrap(new byte[] {1, 2}),
                        List.of(new UserProperty("a", "b"))),
                BinaryData.wrap(new byte[0]),
                1_700_000_000_000L);
        append(List.of(new ToApplication(app, 5, message, QoS.EXACTLY_ONCE, true, List.of(3, 268_435_455))));
        Reader reader = new Reader();
        logs().read(app, 5, first, reader);

        await().atMost(PATIENCE).until(() -> !reader.messages().isEmpty());
        assertThat(reader.messages())
                .containsExactly(
                        new ApplicationMessage(first, message, QoS.EXACTLY_ONCE, true, List.of(3, 268_435_455)));
    }

    @Test
    void aMessageIsReadWithItsArrivalTimeIfItHasOne() throws Exception {
        ClientId app = client("app");
        long first = created(app, 5);
        PublishMessage measured = PublishMessages.message("a").arrivedAt(1_700_000_000_123_456L);
        append(List.of(
                new ToApplication(app, 5, measured, QoS.AT_LEAST_ONCE, false, List.of()),
                new ToApplication(app, 5, PublishMessages.message("b"), QoS.AT_LEAST_ONCE, false, List.of())));
        Reader reader = new Reader();
        logs().read(app, 5, first, reader);

        reader.await("a", "b");
        assertThat(reader.messages())
                .extracting(each -> each.message().arrivedMicros())
                .containsExactly(1_700_000_000_123_456L, PublishMessage.NOT_MEASURED);
    }

    @Test
    void readingStartsAtTheRequestedNumber() throws Exception {
        ClientId app = client("app");
        long first = created(app, 5);
        append(List.of(append(app, 5, "a"), append(app, 5, "b"), append(app, 5, "c")));
        Reader all = new Reader();
        logs().read(app, 5, first, all).close();
        Reader again = new Reader();
        logs().read(app, 5, first, again);
        again.await("a", "b", "c");

        Reader reader = new Reader();
        logs().read(app, 5, again.messages().get(1).sequence(), reader);
        reader.await("b", "c");
    }

    @Test
    void commitsLeaveGapsInTheNumbersButLoseNoMessage() throws Exception {
        ClientId app = client("app");
        ClientId other = client("other");
        long first = created(app, 5);
        created(other, 5);
        commit(List.of(append(app, 5, "a"), append(other, 5, "o"), append(app, 5, "b")));
        commit(List.of(append(app, 5, "c")));

        Reader reader = new Reader();
        logs().read(app, 5, first, reader);
        // Only committed records are read. The end of a transaction takes an offset when it is committed.
        reader.await("a", "b", "c");
        append(List.of(append(app, 5, "d")));
        reader.await("a", "b", "c", "d");
        List<ApplicationMessage> read = reader.messages();
        assertThat(read.get(3).sequence() - read.get(0).sequence()).isGreaterThan(3);
    }

    @Test
    void aLaterSessionReadsNothingOfAnEarlierOne() throws Exception {
        ClientId app = client("app");
        long first = created(app, 5);
        append(List.of(append(app, 5, "old")));
        logs().end(app, 5, first).toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        long next = created(app, 6);
        assertThat(next).isGreaterThan(first);
        append(List.of(append(app, 5, "late"), append(app, 6, "new")));
        // The end of the earlier session is reported again.
        logs().end(app, 5, first);

        for (long from : new long[] {next, first}) {
            Reader reader = new Reader();
            ApplicationLogs.Reading reading = logs().read(app, 6, from, reader);
            reader.await("new");
            reading.close();
        }
    }

    @Test
    void endReturnsTheNumberOfUndeliveredMessages() throws Exception {
        ClientId app = client("app");
        long first = created(app, 5);
        append(List.of(append(app, 5, "a"), append(app, 5, "b"), append(app, 5, "c")));

        assertThat(logs().end(app, 5, first + 1).toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo(2);
        assertThat(logs().end(client("nobody"), 5, 0).toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isZero();
    }

    @Test
    void positionsAreWithinTheLog() throws Exception {
        ClientId app = client("app");
        long first = created(app, 5);
        append(List.of(append(app, 5, "a"), append(app, 5, "b"), append(app, 5, "c")));

        assertThat(find(app, LogPosition.Beginning.BEGINNING)).isEqualTo(first);
        assertThat(find(app, LogPosition.End.END)).isEqualTo(first + 3);
        assertThat(find(app, new LogPosition.Sequence(first + 1))).isEqualTo(first + 1);
        assertThat(find(app, new LogPosition.Sequence(first + 1_000))).isEqualTo(first + 3);
        assertThat(find(app, new LogPosition.Since(0))).isEqualTo(first);
        assertThat(find(app, new LogPosition.Since(FAR_FUTURE_MILLIS))).isEqualTo(first + 3);
    }

    private long find(ClientId clientId, LogPosition position) throws Exception {
        return logs().find(clientId, position).toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void extentsNameTheEndsOfTheLogs() throws Exception {
        ClientId app = client("app");
        ClientId empty = client("empty");
        long first = created(app, 5);
        created(empty, 5);
        append(List.of(append(app, 5, "a"), append(app, 5, "b")));

        Map<ClientId, LogExtent> extents =
                logs().extents(List.of(app, empty)).toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        assertThat(extents).containsOnlyKeys(app, empty);
        assertThat(extents.get(app))
                .extracting(LogExtent::first, LogExtent::end)
                .containsExactly(first, first + 2);
        assertThat(extents.get(empty))
                .extracting(LogExtent::first, LogExtent::end)
                .containsExactly(0L, 0L);
    }

    @Test
    void aReaderThatTakesNothingDelaysOnlyItself() throws Exception {
        ClientId slow = client("slow");
        ClientId quick = client("quick");
        long firstOfSlow = created(slow, 5);
        long firstOfQuick = created(quick, 5);
        int count = 3_000;
        append(IntStream.range(0, count)
                .mapToObj(i -> append(slow, 5, "x".repeat(1_000)))
                .toList());
        Reader slowReader = new Reader();
        ApplicationLogs.Reading reading = logs().read(slow, 5, firstOfSlow, slowReader);
        await().atMost(PATIENCE).until(() -> !slowReader.messages().isEmpty());
        Reader quickReader = new Reader();
        logs().read(quick, 5, firstOfQuick, quickReader);
        append(List.of(append(quick, 5, "1")));
        quickReader.await("1");
        append(List.of(append(quick, 5, "2")));
        quickReader.await("1", "2");
        assertThat(slowReader.messages()).hasSizeLessThan(count);

        int taken = 0;
        while (taken < count) {
            List<ApplicationMessage> read = slowReader.messages();
            if (read.size() == taken) {
                int before = taken;
                await().atMost(PATIENCE)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(SHORT_POLL)
                        .until(() -> slowReader.messages().size() > before);
            }
            for (; taken < read.size(); taken++) {
                reading.taken(read.get(taken).message().heldBytes());
            }
        }
        assertThat(slowReader.messages())
                .hasSize(count)
                .extracting(ApplicationMessage::sequence)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void aNodeThatTakesABucketFindsTheLogsOfItsSessions() throws Exception {
        ClientId app = client("app");
        ClientId missing = client("missing");
        long first = created(app, 5);
        append(List.of(append(app, 5, "a")));

        Map<ClientId, Long> ends = logs().take(0, Map.of(app, 5L, missing, 6L))
                .toCompletableFuture()
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        append(List.of(append(app, 5, "b"), append(missing, 6, "c")));

        assertThat(ends).containsEntry(app, first + 1);
        Reader reader = new Reader();
        logs().read(app, 5, first, reader);
        reader.await("a", "b");
        Reader other = new Reader();
        logs().read(missing, 6, 0, other);
        other.await("c");
    }
}

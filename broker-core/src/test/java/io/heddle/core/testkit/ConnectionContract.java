package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Connection} promises. The client at its other end has connected with MQTT 5.0 and reads, unless a test
 * says otherwise; the packets sent are PUBLISH packets of QoS 0, told apart by their topics.
 */
public abstract class ConnectionContract {
    private static final int LARGE_BYTES = 16 * 1024;
    private static final int UNREAD_PACKETS = 10_000;

    /** The connection under test, open; the same throughout a test. */
    protected abstract Connection connection();

    /** Runs a task on the connection's event loop, waits until it ran and throws what it threw. */
    protected abstract void onLoop(Runnable task);

    /** Waits until the condition, asked on any thread, holds; fails after about ten seconds. */
    protected abstract void await(BooleanSupplier condition);

    /** The topics of the PUBLISH packets that the client has read so far, in order. Any thread. */
    protected abstract List<String> topicsRead();

    /** From here on the client takes no packet above this many bytes. */
    protected abstract void limitPacketsTo(int bytes);

    /** From here on the client does not read; it stays connected. */
    protected abstract void stopReading();

    /** Undoes {@link #stopReading}. */
    protected abstract void resumeReading();

    /** The client goes away without a word. */
    protected abstract void loseClient();

    @Test
    void anOpenConnectionKnowsItsOwnerAndItsClient() {
        onLoop(() -> {
            assertThat(connection().isOpen()).isTrue();
            assertThat(connection().isWritable()).isTrue();
            assertThat(connection().eventLoop().isCurrent()).isTrue();
            assertThat(connection().remoteAddress()).isNotNull();
        });
    }

    @Test
    void packetsArriveInTheOrderTheyWereSent() {
        onLoop(() -> {
            assertThat(send("a", 10)).isTrue();
            assertThat(send("b", LARGE_BYTES)).isTrue();
        });
        onLoop(() -> assertThat(send("c", 0)).isTrue());
        await(() -> topicsRead().size() == 3);

        assertThat(topicsRead()).containsExactly("a", "b", "c");
    }

    @Test
    void onlyTheOwnerMaySendAndClose() throws Exception {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread stranger = Thread.ofPlatform().name("connection-contract").unstarted(() -> {
            assertThatThrownBy(() -> send("a", 10)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection().close()).isInstanceOf(IllegalStateException.class);
        });
        stranger.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
        stranger.start();
        stranger.join();

        assertThat(failure.get()).isNull();
        onLoop(() -> {
            assertThat(connection().isOpen()).isTrue();
            assertThat(send("b", 10)).isTrue();
        });
        await(() -> !topicsRead().isEmpty());
        assertThat(topicsRead()).containsExactly("b");
    }

    @Test
    void whatWasSentBeforeCloseStillArrives() {
        onLoop(() -> {
            send("a", LARGE_BYTES);
            send("b", 10);
            connection().close();
        });
        await(() -> topicsRead().size() == 2);

        assertThat(topicsRead()).containsExactly("a", "b");
    }

    @Test
    void aClosedConnectionTakesNothingMore() {
        onLoop(() -> {
            send("a", 10);
            connection().close();
            connection().close();
            assertThat(connection().isOpen()).isFalse();
            assertThat(send("b", 10)).isFalse();
        });
        await(() -> !topicsRead().isEmpty());

        assertThat(topicsRead()).containsExactly("a");
    }

    @Test
    void aConnectionThatTheClientLeftIsClosedAndTakesNothing() {
        loseClient();
        await(() -> !onLoopIs(() -> connection().isOpen()));

        onLoop(() -> {
            assertThat(send("a", 10)).isFalse();
            connection().close();
        });
        assertThat(topicsRead()).isEmpty();
    }

    @Test
    void aPacketAboveWhatTheClientTakesIsNotSent() {
        limitPacketsTo(1_000);

        onLoop(() -> {
            assertThat(send("a", 1_001)).isFalse();
            assertThat(connection().isOpen()).isTrue();
        });
        assertThat(topicsRead()).isEmpty();
    }

    @Test
    void aClientThatDoesNotReadMakesItUnwritableUntilItReads() {
        stopReading();
        int sent = 0;
        while (sent < UNREAD_PACKETS && onLoopIs(() -> connection().isWritable())) {
            onLoop(() -> send("a", LARGE_BYTES));
            sent++;
        }
        assertThat(sent)
                .as("packets of %d bytes sent while writable", LARGE_BYTES)
                .isLessThan(UNREAD_PACKETS);
        await(() -> !onLoopIs(() -> connection().takesOutput()));

        resumeReading();
        await(() -> onLoopIs(() -> connection().isWritable()));
        onLoop(() -> {
            assertThat(connection().hasRoom()).isTrue();
            assertThat(connection().isCongested()).isFalse();
            assertThat(connection().takesOutput()).isTrue();
        });
    }

    private boolean send(String topic, int payloadBytes) {
        return connection()
                .send(new PublishPacket(
                        TopicName.parse(topic, 1),
                        PublishPacket.NO_TOPIC_ALIAS,
                        QoS.AT_MOST_ONCE,
                        false,
                        false,
                        PublishPacket.NO_PACKET_ID,
                        PublishProperties.NONE,
                        List.of(),
                        BinaryData.wrap(new byte[payloadBytes])));
    }

    private boolean onLoopIs(BooleanSupplier condition) {
        AtomicBoolean answer = new AtomicBoolean();
        onLoop(() -> answer.set(condition.getAsBoolean()));
        return answer.get();
    }
}
